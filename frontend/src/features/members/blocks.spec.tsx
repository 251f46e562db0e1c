import { act, screen, within } from '@testing-library/react';
import { mockApi, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

const user = { id: 9, email: 'ada@example.org', firstName: 'Ada', lastName: 'Kaya', username: 'ada' };
const ada = { ...user, profileImageUrl: null };
const member = {
  id: 3,
  zoneId: 7,
  userId: 9,
  role: 'member',
  invitedById: null,
  joinMethod: 'public_link',
  expiresAt: null,
  isExpired: false,
  isFavorite: false,
  getsMails: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  user: ada,
};
const request = { ...user, id: 4, userId: 9, hasConsented: true, createdAt: '2026-11-20T10:00:00.000Z' };

function mockServer(more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/zones/7/members': [200, [member], { 'X-Total-Count': '1' }],
    'GET /api/zones/7/invitations': [200, []],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/zones/7/blocks': [200, [{ blockedAt: '2026-11-21T10:00:00.000Z', user: ada }]],
    'POST /api/zones/7/blocks': [204],
    ...more,
  });
}

describe('Blocked people', () => {
  it('are blocked from the member list in one step, which can be undone, also from another screen', async () => {
    const server = mockServer({ 'POST /api/zones/7/members/9/restore': [200, member], 'GET /api/zones': [200, []] });
    const { user: person, router } = await renderApp('/zones/7/members');
    await person.click(await screen.findByRole('button', { name: 'Actions for Ada Kaya' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Remove and Block' }));
    expect(await screen.findByText('Ada Kaya removed and blocked')).toBeInTheDocument();
    expect(server.callsTo('POST /api/zones/7/blocks')[0]!.body).toEqual({ userId: 9 });
    await act(() => router.navigate('/zones'));
    expect(await screen.findByRole('heading', { level: 1, name: 'My Zones' })).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Ada Kaya is a member again')).toBeInTheDocument();
  });

  it('are listed with an explanation and can be unblocked', async () => {
    const server = mockServer({ 'DELETE /api/zones/7/blocks/9': [204] });
    const { user: person } = await renderApp('/zones/7/members');
    await person.click(await screen.findByRole('combobox', { name: 'Memberships' }));
    await person.click(await screen.findByRole('option', { name: 'Blocked' }));
    const table = within(await screen.findByRole('table', { name: 'Blocked people' }));
    expect(table.getByText('Ada Kaya')).toBeInTheDocument();
    expect(screen.getByText(/you won’t see their requests/)).toBeInTheDocument();
    server.setResponse('GET /api/zones/7/blocks', [200, []]);
    await person.click(table.getByRole('button', { name: 'Unblock Ada Kaya' }));
    expect(await screen.findByText('Nobody is blocked in this zone.')).toBeInTheDocument();
  });

  it('are blocked from a join request instead of declining it', async () => {
    const server = mockServer({ 'GET /api/zones/7/join-requests': [200, [request]] });
    const { user: person } = await renderApp('/zones/7/members');
    await person.click(await screen.findByRole('button', { name: 'Decline Ada Kaya' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline the join request from Ada Kaya?' }));
    await person.click(dialog.getByRole('checkbox', { name: /Block this person/ }));
    await person.click(dialog.getByRole('button', { name: 'Decline' }));
    expect(await screen.findByText('Ada Kaya blocked')).toBeInTheDocument();
    expect(server.callsTo('POST /api/zones/7/blocks')[0]!.body).toEqual({ userId: 9 });
  });

  it('can’t be blocked by zone admins who decide on join requests', async () => {
    const { can } = makeZone();
    mockServer({
      'GET /api/zones/7': [
        200,
        makeZone({ isOwner: false, memberRole: 'admin', can: { ...can, manageMembers: false } }),
      ],
      'GET /api/zones/7/join-requests': [200, [request]],
    });
    const { user: person } = await renderApp('/zones/7/members');
    await person.click(await screen.findByRole('button', { name: 'Decline Ada Kaya' }));
    await screen.findByRole('dialog', { name: 'Decline the join request from Ada Kaya?' });
    expect(screen.queryByRole('checkbox', { name: /Block this person/ })).not.toBeInTheDocument();
  });
});
