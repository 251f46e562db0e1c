import { screen, within } from '@testing-library/react';
import { mockApi, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

const person = { id: 9, email: 'ada@example.org', firstName: 'Ada', lastName: 'Kaya', username: 'ada' };
const dates = { joinedAt: '2026-01-20T10:00:00.000Z', leftAt: '2026-11-20T10:00:00.000Z' };
const formerMembers = [
  { id: 2, via: 'app', reason: 'Too many\nmails', user: { ...person, profileImageUrl: null }, ...dates },
  { id: 1, via: 'complaint', reason: null, user: null, ...dates },
];

function mockServer(zone = makeZone(), more: Record<string, MockResponse> = {}) {
  return mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, zone],
    'GET /api/zones/7/members': [200, []],
    'GET /api/zones/7/invitations': [200, []],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/zones/7/leaves': [200, formerMembers],
    ...more,
  });
}

async function openFormerMembers() {
  const { user } = await renderApp('/zones/7/members');
  await user.click(await screen.findByRole('combobox', { name: 'Memberships' }));
  await user.click(await screen.findByRole('option', { name: 'Left' }));
}

describe('Former members', () => {
  it('are shown to the owner with how and why they left', async () => {
    mockServer();
    await openFormerMembers();
    const rows = within(await screen.findByRole('table', { name: 'Former members' })).getAllByRole('row');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toHaveTextContent('Ada Kaya');
    expect(rows[1]).toHaveTextContent('ada@example.org');
    expect(rows[1]).toHaveTextContent('Left the zone');
    expect(rows[1]).toHaveTextContent('Too many mails');
    expect(rows[2]).toHaveTextContent('Deleted account');
    expect(rows[2]).toHaveTextContent('Reported as spam');
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
  });

  it('show an error when loading fails and an empty state when there are none', async () => {
    const server = mockServer(makeZone(), { 'GET /api/zones/7/leaves': [503] });
    await openFormerMembers();
    expect(await screen.findByText('Couldn’t load former members')).toBeInTheDocument();
    server.setResponse('GET /api/zones/7/leaves', [200, []]);
    screen.getByRole('button', { name: 'Try Again' }).click();
    expect(await screen.findByText('Nobody has left this zone yet.')).toBeInTheDocument();
  });

  it('are not offered to zone admins without permission', async () => {
    const { can } = makeZone();
    mockServer(makeZone({ isOwner: false, memberRole: 'admin', can: { ...can, manageMembers: false } }));
    const { user } = await renderApp('/zones/7/members');
    await user.click(await screen.findByRole('combobox', { name: 'Memberships' }));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Active', 'Ended']);
  });
});
