import { screen, waitFor } from '@testing-library/react';
import { notSignedInResponse, mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

const invitation = {
  zoneName: 'Watercolour course',
  inviterName: 'Olga Owner',
  email: 'ayse@example.org',
  isExistingUser: true,
  isAccepted: false,
  requiresEmailOptin: true,
  consentText: 'I agree to receive all emails',
  expiresAt: '2026-12-01T00:00:00.000Z',
};
const currentUser = makeUser({ email: 'ayse@example.org' });
const otherUser = makeUser({ email: 'somebody.else@example.org' });

function mockServer(
  user: MockResponse,
  info: Partial<typeof invitation> = {},
  more: Record<string, MockResponse> = {},
) {
  return mockApi({ 'GET /api/user': user, 'GET /api/invite/tok': [200, { ...invitation, ...info }], ...more });
}

const openInvitation = () => renderApp('/invite/tok');

const row = {
  id: 5,
  zoneId: 7,
  email: 'gone@example.org',
  firstName: null,
  lastName: null,
  invitedById: 1,
  invitedBy: 'Ada',
  used: false,
  isExpired: false,
  expiresAt: '2026-12-01T00:00:00.000Z',
  createdAt: '2026-11-20T10:00:00.000Z',
  sentAt: null,
  undeliverableAt: null,
};

describe('Open invitations of a zone', () => {
  it('show undelivered and waiting invitations and can be sent again', async () => {
    const undelivered = { ...row, undeliverableAt: '2026-11-20T10:01:00.000Z' };
    const waiting = { ...row, id: 6, email: 'waits@example.org', invitedBy: null };
    const mockServer = mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/zones/7': [200, makeZone()],
      'GET /api/zones/7/members': [200, [], { 'X-Total-Count': '0' }],
      'GET /api/zones/7/invitations': [200, [undelivered, waiting]],
      'GET /api/zones/7/join-requests': [200, []],
      'POST /api/zones/7/invitations/5/resend': [200, row],
    });
    const { user } = await renderApp('/zones/7/members');
    expect(await screen.findByText('Couldn’t be delivered · Invited by Ada')).toBeInTheDocument();
    expect(screen.getByText(/^Expires .* · Not sent yet$/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Send again to gone@example.org' }));
    expect(await screen.findByText('The invitation is on its way again')).toBeInTheDocument();
    expect(mockServer.callsTo('POST /api/zones/7/invitations/5/resend')).toHaveLength(1);
  });
});

describe('Inviting people', () => {
  it('lists all open invitations and keeps addresses that were not invited', async () => {
    const mockServer = mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/zones/7': [200, makeZone()],
      'GET /api/zones/7/members': [200, [], { 'X-Total-Count': '0' }],
      'GET /api/zones/7/invitations': [200, [row]],
      'GET /api/zones/7/join-requests': [200, []],
      'POST /api/zones/7/invite': () => {
        const rows = [row, { ...row, id: 6, email: 'b@example.org' }, { ...row, id: 7, email: 'c@example.org' }];
        mockServer.setResponse('GET /api/zones/7/invitations', [200, rows]);
        const failed = Array.from({ length: 501 }, (_, n) => ({
          email: `x${n}@example.org`,
          success: false,
          message: 'They are a member already.',
        }));
        return [200, { invited: 2, results: failed, planLimit: null, dailyLimit: null }];
      },
    });
    const { user } = await renderApp('/zones/7/members');
    expect(await screen.findByRole('heading', { name: 'Pending Invitations (1)' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Invite Members' }));
    await user.type(await screen.findByLabelText('Email addresses'), 'b@example.org c@example.org');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep Editing' }));
    expect(await screen.findByLabelText('Email addresses')).toHaveValue('b@example.org c@example.org');
    await user.click(await screen.findByRole('button', { name: 'Send Invitations' }));
    expect(await screen.findByText('2 invitations are on their way')).toBeInTheDocument();
    expect(screen.getByText('Not invited (501)')).toBeInTheDocument();
    expect(screen.getByText('One more isn’t shown in the list. Copy includes all of them.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByRole('heading', { name: 'Pending Invitations (3)' })).toBeInTheDocument();
  });

  it('includes invitations that are not listed in the count', async () => {
    mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/zones/7': [200, makeZone()],
      'GET /api/zones/7/members': [200, []],
      'GET /api/zones/7/invitations': [200, [row], { 'X-Total-Count': '1240' }],
      'GET /api/zones/7/join-requests': [200, []],
    });
    await renderApp('/zones/7/members');
    expect(await screen.findByRole('heading', { name: 'Pending Invitations (1,240)' })).toBeInTheDocument();
  });
});

describe('Inviting people without a zone', () => {
  it('creates a zone first and reuses it when the invitations failed', async () => {
    const mockServer = mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/zones': [200, []],
      'POST /api/zones': () => {
        mockServer.setResponse('GET /api/zones', [200, [makeZone()]]);
        return [201, makeZone()];
      },
      'POST /api/zones/7/invite': errorResponse(500, 'INTERNAL', 'The server stumbled.'),
    });
    const { user } = await renderApp('/dashboard?do=invite');
    expect(await screen.findByLabelText('Zone name')).toHaveValue('My First Zone');
    await user.click(screen.getByRole('radio', { name: /Only people I invite/ }));
    await user.type(screen.getByLabelText('Email addresses'), 'b@example.org');
    await user.click(screen.getByRole('button', { name: 'Create and Invite' }));
    expect(await screen.findByText('Couldn’t send the invitations')).toBeInTheDocument();
    expect(screen.getByLabelText('Zone')).toHaveDisplayValue('Watercolour course');
    mockServer.setResponse('POST /api/zones/7/invite', [
      200,
      { invited: 1, results: [], planLimit: null, dailyLimit: null },
    ]);
    await user.click(screen.getByRole('button', { name: 'Send Invitations' }));
    expect(await screen.findByText('1 invitation is on its way')).toBeInTheDocument();
    expect(mockServer.callsTo('POST /api/zones').map(({ body }) => body)).toEqual([
      { name: 'My First Zone', type: 'private' },
    ]);
  });
});

describe('Invitation page', () => {
  const accepted = {
    message: 'In',
    zoneName: 'Watercolour course',
    redirectUrl: '/zones/7',
    requiresPasswordChange: false,
    requiresProfileCompletion: false,
  };

  it('shows the invitation, accepts it only on click and opens the zone', async () => {
    const server = mockServer(
      [200, currentUser],
      {},
      { 'POST /api/accept-invite': [200, accepted], 'GET /api/zones/7': [200, makeZone()] },
    );
    const { user, router } = await openInvitation();
    expect(await screen.findByRole('heading', { name: 'Join “Watercolour course”' })).toBeInTheDocument();
    expect(server.callsTo('POST /api/accept-invite')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Accept Invitation' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/zones/7'));
    const [call] = server.callsTo('POST /api/accept-invite');
    expect(call?.body).toEqual({ token: 'tok', email: 'ayse@example.org', existingUser: true, emailConsent: true });
  });

  it('lets a new user accept with one button and signs them in', async () => {
    const server = mockServer(
      notSignedInResponse,
      { isExistingUser: false },
      {
        'POST /api/accept-invite': () => {
          server.setResponse('GET /api/user', [200, currentUser]);
          return [200, accepted];
        },
        'GET /api/zones/7': [200, makeZone()],
      },
    );
    const { user, router } = await openInvitation();
    await user.click(await screen.findByRole('button', { name: 'Accept Invitation' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/zones/7'));
    const [call] = server.callsTo('POST /api/accept-invite');
    expect(call?.body).toEqual({ token: 'tok', email: 'ayse@example.org', existingUser: false, emailConsent: true });
  });

  it('sends a signed-out user with a password to sign-in', async () => {
    const signIn = { ...accepted, redirectUrl: '/auth?mode=login&email=ayse%40example.org' };
    mockServer(notSignedInResponse, {}, { 'POST /api/accept-invite': [200, signIn] });
    const { user } = await openInvitation();
    await user.click(await screen.findByRole('button', { name: 'Accept Invitation' }));
    expect(await screen.findByRole('heading', { name: 'You have joined the zone' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', signIn.redirectUrl);
  });

  it('shows that the invitation was already accepted to a signed-out visitor', async () => {
    mockServer(notSignedInResponse, { isExistingUser: false, isAccepted: true });
    await openInvitation();
    expect(await screen.findByRole('heading', { name: 'Already a Member' })).toBeInTheDocument();
  });

  it.each([
    ['an open invitation', false],
    ['an accepted invitation', true],
  ])('shows a user of another account whose invitation it is: %s', async (_case, isAccepted) => {
    mockServer([200, otherUser], { isAccepted });
    await openInvitation();
    expect(
      await screen.findByText(/for ayse@example\.org, but you’re signed in as somebody\.else/),
    ).toBeInTheDocument();
    expect(screen.queryByText('You are already a member of this zone.')).not.toBeInTheDocument();
  });

  it.each([
    ['the invited user', [200, currentUser] as MockResponse],
    ['a signed-out visitor', notSignedInResponse],
  ])('shows %s that the invitation was already accepted', async (_case, user) => {
    mockServer(user, { isAccepted: true });
    await openInvitation();
    expect(await screen.findByRole('heading', { name: 'Already a Member' })).toBeInTheDocument();
  });

  it('shows an error for an invalid invitation', async () => {
    mockServer(
      notSignedInResponse,
      {},
      { 'GET /api/invite/tok': errorResponse(404, 'INVITATION_INVALID', 'The sentence of the server') },
    );
    await openInvitation();
    expect(await screen.findByRole('heading', { name: 'Invalid Invitation' })).toBeInTheDocument();
    expect(screen.getByText('The sentence of the server')).toBeInTheDocument();
  });
});
