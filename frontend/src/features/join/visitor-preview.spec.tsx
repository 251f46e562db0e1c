import { act, screen, waitFor } from '@testing-library/react';
import { notSignedInResponse, mockApi, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { NO_LAST_NAME } from '../../shared/format/person';

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
  owner: { firstName: 'Deniz', lastName: NO_LAST_NAME },
  autoJoin: true,
  requiresEmailOptin: true,
  consentText: 'I agree to receive all emails.',
};

function mockServer(table: Record<string, MockResponse> = {}) {
  return mockApi({ 'GET /api/user': notSignedInResponse, 'GET /api/public-zones/abc': [200, zone], ...table });
}

describe('Visitor preview', () => {
  it('shows the join page to the zone’s managers without sending a join request', async () => {
    const server = mockServer({ 'GET /api/user': [200, makeUser()], 'GET /api/zones/7/visitor-preview': [200, zone] });
    const { user } = await renderApp('/zones/7/visitor');
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
    expect(server.callsTo('POST /api/dashboard/start').map(({ body }) => body)).toEqual([{ step: 'visitorPreview' }]);
  });

  it('does not complete the onboarding step when loading fails', async () => {
    const server = mockServer({ 'GET /api/user': [200, makeUser()], 'GET /api/zones/7/visitor-preview': [503] });
    await renderApp('/zones/7/visitor');
    await screen.findByRole('button', { name: 'Try Again' });
    expect(server.callsTo('POST /api/dashboard/start')).toEqual([]);
  });

  it('sends no onboarding step when the checklist was dismissed', async () => {
    const dismissedChecklist = {
      closed: true,
      zone: true,
      file: true,
      visitorPreview: false,
      link: true,
      reader: true,
    };
    const server = mockServer({
      'GET /api/user': [200, makeUser()],
      'GET /api/dashboard/start': [200, dismissedChecklist],
      'GET /api/zones/7/visitor-preview': [200, zone],
    });
    const { router } = await renderApp('/dashboard');
    await waitFor(() => expect(server.callsTo('GET /api/dashboard/start')).toHaveLength(1));
    await act(() => router.navigate('/zones/7/visitor'));
    await screen.findByText('This is what visitors see');
    expect(server.callsTo('POST /api/dashboard/start')).toEqual([]);
  });

  it('asks signed-out visitors to sign in', async () => {
    mockServer();
    const { address } = await renderApp('/zones/7/visitor');
    await waitFor(() => expect(address()).toBe('/auth?next=%2Fzones%2F7%2Fvisitor'));
  });
});
