import { act, screen, waitFor } from '@testing-library/react';
import { notSignedIn, pretendApi, someone, type Answer } from '../../../test/api';
import { renderProduct } from '../../../test/render';

const zone = {
  name: 'Watercolour',
  description: 'Twelve lessons',
  fileCount: 12,
  memberCount: 1300,
  firstFiles: [
    { name: 'Lesson 1.pdf', mimeType: 'application/pdf' },
    { name: 'Templates', mimeType: null },
  ],
  moreFiles: 11,
  owner: { firstName: 'Deniz', lastName: '.' },
  autoJoin: true,
  requiresEmailOptin: true,
  consentText: 'I agree to receive all emails.',
};

function serve(table: Record<string, Answer> = {}) {
  return pretendApi({ 'GET /api/user': notSignedIn, 'GET /api/public-zones/abc': [200, zone], ...table });
}

describe('the preview as a visitor', () => {
  it('shows the page of a link to who looks after the zone, and sends nothing', async () => {
    const server = serve({ 'GET /api/user': [200, someone()], 'GET /api/zones/7/visitor-preview': [200, zone] });
    const { user } = await renderProduct('/zones/7/visitor');
    expect(await screen.findByRole('heading', { level: 1, name: 'Watercolour' })).toBeInTheDocument();
    expect(screen.getByText('This is what visitors see')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to the Zone' })).toHaveAttribute('href', '/zones/7');
    expect(screen.getByLabelText('Email address')).toHaveValue('');
    await user.type(screen.getByLabelText('Email address'), 'ayse@example.org');
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Join Zone' }));
    expect(await screen.findByText('This is a preview. Nothing is sent.')).toBeInTheDocument();
    expect(screen.getByLabelText('Email address')).toHaveValue('ayse@example.org');
    expect(server.calls.filter(({ route }) => route.endsWith('/join'))).toEqual([]);
    expect(server.callsOf('POST /api/dashboard/start').map(({ body }) => body)).toEqual([{ step: 'visitorPreview' }]);
  });

  it('ticks nothing off that was not seen', async () => {
    const server = serve({ 'GET /api/user': [200, someone()], 'GET /api/zones/7/visitor-preview': [503] });
    await renderProduct('/zones/7/visitor');
    await screen.findByRole('button', { name: 'Try again' });
    expect(server.callsOf('POST /api/dashboard/start')).toEqual([]);
  });

  it('tells nothing of a list that is gone', async () => {
    const gone = { closed: true, zone: true, file: true, visitorPreview: false, link: true, reader: true };
    const server = serve({
      'GET /api/user': [200, someone()],
      'GET /api/dashboard/start': [200, gone],
      'GET /api/zones/7/visitor-preview': [200, zone],
    });
    const { router } = await renderProduct('/dashboard');
    await waitFor(() => expect(server.callsOf('GET /api/dashboard/start')).toHaveLength(1));
    await act(() => router.navigate('/zones/7/visitor'));
    await screen.findByText('This is what visitors see');
    expect(server.callsOf('POST /api/dashboard/start')).toEqual([]);
  });

  it('asks who is not signed in to sign in first', async () => {
    serve();
    const { address } = await renderProduct('/zones/7/visitor');
    await waitFor(() => expect(address()).toBe('/auth?next=%2Fzones%2F7%2Fvisitor'));
  });
});
