import { act, screen, waitFor, within } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { ApiError } from '../../shared/api/api-error';
import { joinErrorTypeOf } from './join-error';
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
const makeJoinResponse = (changes: object = {}) => ({
  message: 'From the server',
  requiresVerification: false,
  requiresLogin: false,
  requiresApproval: false,
  redirectUrl: null,
  handle: null,
  ...changes,
});
const join = 'POST /api/public-zones/abc/join';

function mockServer(table: Record<string, MockResponse> = {}) {
  return mockApi({ 'GET /api/user': notSignedInResponse, 'GET /api/public-zones/abc': [200, zone], ...table });
}

async function openJoinPage() {
  const product = await renderApp('/join/abc');
  await screen.findByRole('heading', { level: 1, name: 'Watercolour' });
  const fill = async (email: string, consent = true) => {
    const field = screen.getByLabelText('Email address');
    await product.user.clear(field);
    if (email) await product.user.type(field, email);
    if (consent) await product.user.click(screen.getByRole('checkbox'));
    await product.user.click(screen.getByRole('button', { name: /Join Zone|Ask to Join/ }));
  };
  return { ...product, fill };
}

describe('joinErrorTypeOf', () => {
  it.each([
    ['LINK_NOT_FOUND', 'notFound'],
    ['ALREADY_MEMBER', 'alreadyMember'],
    ['CONSENT_REQUIRED', 'consent'],
    ['ZONE_FULL', 'full'],
    ['TOO_MANY_REQUESTS', 'tooMany'],
    ['VALIDATION_FAILED', 'fields'],
    ['INTERNAL', 'other'],
  ])('maps %s by its code, not by its message', (code, meaning) => {
    expect(joinErrorTypeOf(new ApiError(400, code, 'already a member, expired, maximum usage'))).toBe(meaning);
  });
});

describe('Join page', () => {
  beforeEach(() => sessionStorage.clear());

  it('lists the first files and the number of further ones', async () => {
    const { setResponse } = mockServer();
    const { unmount } = await openJoinPage();
    const list = screen.getByRole('list', { name: 'What’s inside' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Lesson 1.pdf', 'Templates']);
    expect(screen.getByText('and 11 more files')).toBeInTheDocument();
    unmount();
    setResponse('GET /api/public-zones/abc', [200, { ...zone, firstFiles: [], moreFiles: 0 }]);
    await openJoinPage();
    expect(screen.queryByRole('list', { name: 'What’s inside' })).not.toBeInTheDocument();
  });

  it('shows the zone, its owner and what joining means', async () => {
    mockServer();
    await openJoinPage();
    expect(screen.getByText('A zone by Deniz')).toBeInTheDocument();
    expect(screen.getByText('12 files')).toBeInTheDocument();
    expect(screen.getByText('1,300 members')).toBeInTheDocument();
    expect(screen.getByText('You’ll receive all emails that Deniz sends to the members.')).toBeInTheDocument();
    expect(screen.getByRole('checkbox', { name: 'I agree to receive all emails.' })).not.toBeChecked();
  });

  it('requires an email address and consent before sending the request', async () => {
    const server = mockServer();
    const { fill } = await openJoinPage();
    await fill('', false);
    expect(screen.getByLabelText('Email address')).toHaveAccessibleDescription('Email is required');
    expect(screen.getByLabelText('Email address')).toHaveFocus();
    expect(screen.getByRole('checkbox')).toHaveAccessibleDescription(
      'You must agree to receive all zone emails to join. Zone owners cannot send partial emails.',
    );
    await fill('nonsense', false);
    expect(screen.getByLabelText('Email address')).toHaveAccessibleDescription('Invalid email');
    expect(server.callsTo(join)).toEqual([]);
  });

  it('asks a new visitor to check their email', async () => {
    const server = mockServer({ [join]: [200, makeJoinResponse({ requiresVerification: true })] });
    const { fill } = await openJoinPage();
    await fill('  ayse@example.org ');
    expect(await screen.findByRole('heading', { name: 'Please check your email' })).toBeInTheDocument();
    expect(screen.getByText(/ayse@example\.org/)).toBeInTheDocument();
    expect(server.callsTo(join)[0]?.body).toEqual({ email: 'ayse@example.org', emailConsent: true });
  });

  it('warns before the form is filled in when no email server is configured', async () => {
    mockServer({ 'GET /api/site': [200, { sendsEmail: false }] });
    await openJoinPage();
    expect(await screen.findByRole('note')).toHaveTextContent(/you won’t get the email that you need/);
  });

  describe('after the verification email is sent', () => {
    const sent: MockResponse = [200, makeJoinResponse({ requiresVerification: true, handle: 'h-1' })];
    const code = 'POST /api/join-codes';
    const waiting = async (table: Record<string, MockResponse> = {}) => {
      const server = mockServer({ [join]: sent, ...table });
      const product = await openJoinPage();
      await product.fill('ayse@example.org');
      return { server, ...product, field: await screen.findByLabelText('Code from the email') };
    };
    it('accepts the emailed code and opens the zone', async () => {
      const done = { ...makeJoinResponse({ redirectUrl: '/zones/5' }), success: true };
      const { server, user, field, address } = await waiting({ 'GET /api/zones/5': [404] });
      await user.type(field, '12345');
      await user.click(screen.getByRole('button', { name: 'Join Zone' }));
      expect(field).toHaveAccessibleDescription('The code has 6 digits');
      server.setResponse(code, errorResponse(400, 'CODE_INVALID', 'This code is not right.'));
      // The last digit submits the form.
      await user.type(field, ' 6');
      await waitFor(() => expect(field).toHaveAccessibleDescription('This code is not right.'));
      server.setResponse(code, [200, done]);
      server.setResponse('GET /api/user', [200, makeUser({ email: 'ayse@example.org' })]);
      // A rejected code isn't submitted again.
      await user.click(screen.getByRole('button', { name: 'Join Zone' }));
      expect(server.callsTo(code)).toHaveLength(1);
      await user.type(field, '{Backspace}7');
      await waitFor(() => expect(address()).toBe('/zones/5'));
      expect(server.callsTo(code).at(-1)?.body).toEqual({ handle: 'h-1', code: '123457' });
    });

    it('does not promise an email when no email server is configured', async () => {
      await waiting({ 'GET /api/site': [200, { sendsEmail: false }] });
      expect(screen.getByRole('heading', { level: 1, name: 'The email wasn’t sent' })).toBeInTheDocument();
      expect(await screen.findByRole('note')).toHaveTextContent(/so the email won’t arrive/);
      expect(screen.queryByText(/We’ve sent a link/)).not.toBeInTheDocument();
      expect(screen.queryByText(/check your spam folder/)).not.toBeInTheDocument();
    });

    it('shows that the owner must approve the request', async () => {
      const pendingResponse = {
        ...makeJoinResponse({ requiresApproval: true, message: 'With the owner.' }),
        success: true,
      };
      const { user, field } = await waiting({ [code]: [200, pendingResponse] });
      await user.type(field, '123456');
      expect(await screen.findByText('With the owner.')).toBeInTheDocument();
    });

    it('keeps waiting for the code after a reload until another address is used', async () => {
      const { unmount } = await waiting();
      unmount();
      mockServer();
      const { user } = await renderApp('/join/abc');
      expect(await screen.findByRole('heading', { name: 'Please check your email' })).toBeInTheDocument();
      expect(screen.getByText(/ayse@example\.org/)).toBeInTheDocument();
      await user.click(screen.getByRole('button', { name: 'Use Another Address' }));
      expect(screen.getByLabelText('Email address')).toBeInTheDocument();
      expect(sessionStorage).toHaveLength(0);
    });

    it('continues when the link was opened in another tab', async () => {
      const { server, address } = await waiting({ 'GET /api/shared-zones': [200, []] });
      server.setResponse('GET /api/user', [200, makeUser({ email: 'ayse@example.org' })]);
      act(() => void window.dispatchEvent(new Event('visibilitychange')));
      await waitFor(() => expect(address()).toBe('/shared-zones'), { timeout: 10_000 });
    });
  });

  it('lets a signed-in user join at once with the prefilled address', async () => {
    mockServer({
      'GET /api/user': [200, makeUser()],
      'GET /api/zones/5': [404],
      [join]: [200, makeJoinResponse({ redirectUrl: '/zones/5' })],
    });
    const { user, address } = await openJoinPage();
    expect(await screen.findByDisplayValue('deniz@example.org')).toBeInTheDocument();
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Join Zone' }));
    await waitFor(() => expect(address()).toBe('/zones/5'));
    expect(screen.getByText('Welcome! You have joined the zone.')).toBeInTheDocument();
  });

  it('does not redirect to another site', async () => {
    mockServer({ [join]: [200, makeJoinResponse({ redirectUrl: 'https://elsewhere.example/zones/5' })] });
    const { fill, address } = await openJoinPage();
    await fill('ayse@example.org');
    await waitFor(() => expect(address()).toBe('/auth'));
  });

  it('requires no consent when the zone does not ask for it', async () => {
    const server = mockServer({
      'GET /api/public-zones/abc': [200, { ...zone, requiresEmailOptin: false }],
      [join]: [200, makeJoinResponse({ requiresVerification: true })],
    });
    const { fill } = await openJoinPage();
    await fill('ayse@example.org', false);
    await screen.findByRole('heading', { name: 'Please check your email' });
    expect(server.callsTo(join)[0]?.body).toEqual({ email: 'ayse@example.org', emailConsent: false });
  });

  it('shows the server’s message about the request when the zone requires approval', async () => {
    mockServer({
      'GET /api/public-zones/abc': [200, { ...zone, autoJoin: false }],
      [join]: [200, makeJoinResponse({ requiresApproval: true })],
    });
    const { fill } = await openJoinPage();
    expect(screen.getByText(/The owner decides on each request/)).toBeInTheDocument();
    await fill('ayse@example.org');
    expect(await screen.findByText('From the server')).toBeInTheDocument();
  });

  it('promises only a request in the email step when the zone requires approval', async () => {
    mockServer({
      'GET /api/public-zones/abc': [200, { ...zone, autoJoin: false }],
      [join]: [200, makeJoinResponse({ requiresVerification: true })],
    });
    const { fill } = await openJoinPage();
    await fill('ayse@example.org');
    expect(await screen.findByText(/send your request to the owner of “/)).toBeInTheDocument();
    expect(screen.queryByText(/confirm to join/)).not.toBeInTheDocument();
  });

  it.each([
    ['ZONE_FULL', 403, 'This zone is full at the moment'],
    ['TOO_MANY_REQUESTS', 429, 'Please wait a moment'],
    ['LINK_NOT_FOUND', 404, 'Zone Not Found'],
    ['SOMETHING_NEW', 500, 'Failed to join zone'],
  ])('shows %s and keeps the entered values', async (code, status, title) => {
    mockServer({ [join]: errorResponse(status, code, 'The sentence of the server') });
    const { fill } = await openJoinPage();
    await fill('ayse@example.org');
    expect(await screen.findByRole('alert')).toHaveTextContent(title);
    if (code !== 'LINK_NOT_FOUND') expect(screen.getByRole('alert')).toHaveTextContent('The sentence of the server');
    expect(screen.getByLabelText('Email address')).toHaveValue('ayse@example.org');
    expect(screen.getByRole('checkbox')).toBeChecked();
  });

  it('shows at the checkbox that the server requires consent', async () => {
    mockServer({ [join]: errorResponse(400, 'CONSENT_REQUIRED', 'You must agree.') });
    const { fill } = await openJoinPage();
    await fill('ayse@example.org');
    await waitFor(() => expect(screen.getByRole('checkbox')).toHaveAccessibleDescription('You must agree.'));
  });

  it('redirects an existing member after two seconds', async () => {
    mockServer({
      'GET /api/user': [200, makeUser()],
      'GET /api/shared-zones': [200, []],
      [join]: errorResponse(409, 'ALREADY_MEMBER', 'You are already a member.'),
    });
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
    try {
      const { user, address } = await openJoinPage();
      await user.click(screen.getByRole('checkbox'));
      await user.click(screen.getByRole('button', { name: 'Join Zone' }));
      expect(await screen.findByRole('heading', { name: 'Already a Member' })).toBeInTheDocument();
      await act(() => jest.advanceTimersByTimeAsync(1900));
      expect(address()).toBe('/join/abc');
      await act(() => jest.advanceTimersByTimeAsync(200));
      await waitFor(() => expect(address()).toBe('/shared-zones'));
    } finally {
      jest.useRealTimers();
    }
  });

  it('shows an unknown link with a way to the homepage', async () => {
    mockServer({ 'GET /api/public-zones/abc': errorResponse(404, 'LINK_NOT_FOUND', 'No') });
    await renderApp('/join/abc');
    expect(await screen.findByRole('heading', { name: 'Zone Not Found' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to the Home Page' })).toHaveAttribute('href', '/home');
  });
});
