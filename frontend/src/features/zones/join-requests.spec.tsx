import { screen, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeForeignZone, makeZone } from '../../../test/zones';

const ada = {
  id: 4,
  userId: 9,
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Kaya',
  username: 'ada',
  hasConsented: false,
  createdAt: '2026-11-20T10:00:00.000Z',
};

const adaAsMember = {
  id: 3,
  zoneId: 7,
  userId: 9,
  role: 'member',
  invitedById: null,
  joinMethod: 'public_link',
  expiresAt: null,
  isExpired: false,
  isFavorite: false,
  getsMails: false,
  createdAt: '2026-11-21T10:00:00.000Z',
  user: { ...ada, id: 9, profileImageUrl: null },
};

function mockServer(zone = makeZone(), more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, zone],
    'GET /api/zones/7/members': [200, []],
    'GET /api/zones/7/invitations': [200, []],
    'GET /api/zones/7/join-requests': [200, [ada]],
    ...more,
  });
}

describe('Join requests', () => {
  it('are shown to users who can decide and can be approved', async () => {
    const server = mockServer();
    server.setResponse('POST /api/zones/7/join-requests/4/approve', () => {
      server.setResponse('GET /api/zones/7/join-requests', [200, []]);
      server.setResponse('GET /api/zones/7', [200, makeZone({ memberCount: 13 })]);
      server.setResponse('GET /api/zones/7/members', [200, [adaAsMember], { 'X-Total-Count': '1' }]);
      return [204];
    });
    const { user } = await renderApp('/zones/7/members');
    const panel = within(await screen.findByRole('region', { name: 'Join Requests (1)' }));
    expect(panel.getByText('Ada Kaya')).toBeInTheDocument();
    expect(panel.getByText('No emails')).toBeInTheDocument();
    expect(screen.getByRole('tab', { name: 'Members (12) 1 join request' })).toBeInTheDocument();
    await user.click(panel.getByRole('button', { name: 'Approve Ada Kaya' }));
    expect(await screen.findByText('Ada Kaya is now a member')).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: /Join Requests/ })).not.toBeInTheDocument();
    expect(await screen.findByRole('tab', { name: 'Members (13)' })).toBeInTheDocument();
    // An approved person is listed as a member immediately.
    expect(await screen.findByText('ada@example.org')).toBeInTheDocument();
    expect(screen.queryByText('No members yet')).not.toBeInTheDocument();
  });

  it('are declined only after a confirmation', async () => {
    const server = mockServer(makeZone(), { 'POST /api/zones/7/join-requests/4/decline': [204] });
    const { user } = await renderApp('/zones/7/members');
    await user.click(await screen.findByRole('button', { name: 'Decline Ada Kaya' }));
    expect(server.callsTo('POST /api/zones/7/join-requests/4/decline')).toHaveLength(0);
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline the join request from Ada Kaya?' }));
    await user.click(dialog.getByRole('button', { name: 'Decline' }));
    expect(await screen.findByText('Join request from Ada Kaya declined')).toBeInTheDocument();
  });

  it('stay open with an error when the plan limit is reached', async () => {
    mockServer(makeZone(), {
      'POST /api/zones/7/join-requests/4/approve': errorResponse(403, 'PLAN_LIMIT', 'No place left.', {
        planLimit: true,
      }),
    });
    const { user } = await renderApp('/zones/7/members');
    await user.click(await screen.findByRole('button', { name: 'Approve Ada Kaya' }));
    expect(await screen.findByText('Plan Limit Reached')).toBeInTheDocument();
    expect(screen.getByText('No place left.')).toBeInTheDocument();
    expect(screen.getByText('Ada Kaya')).toBeInTheDocument();
  });

  it('are not requested for regular members', async () => {
    const server = mockServer(makeForeignZone());
    await renderApp('/zones/7/members');
    await screen.findByRole('heading', { level: 1, name: 'Watercolour course' });
    await screen.findAllByText('12 members');
    expect(server.callsTo('GET /api/zones/7/join-requests')).toHaveLength(0);
  });
});
