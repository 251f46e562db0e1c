import { screen, waitFor } from '@testing-library/react';
import { mockApi, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';

const MEMBER_COUNT = 150;

const makeMember = (index: number) => ({
  ...{ id: 1000 + index, zoneId: 7, userId: index, role: 'member', invitedById: null, joinMethod: 'public_link' },
  ...{ expiresAt: null, isExpired: false, isFavorite: false, getsMails: true, createdAt: '2026-11-20T10:00:00.000Z' },
  user: {
    ...{ id: index, email: `person-${index}@example.org`, firstName: 'Person', lastName: String(index) },
    ...{ username: `person${index}`, profileImageUrl: null },
  },
});

async function openMembers(more: Record<string, MockResponse> = {}) {
  const server = mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/zones/7/members': ({ url }) => {
      const offset = Number(new URL(url).searchParams.get('offset'));
      const count = Math.min(100, MEMBER_COUNT - offset);
      const members = Array.from({ length: count }, (_, index) => makeMember(offset + index));
      return [200, members, { 'X-Total-Count': String(MEMBER_COUNT) }];
    },
    'GET /api/zones/7/invitations': [200, []],
    'GET /api/zones/7/join-requests': [200, []],
    ...more,
  });
  const { user } = await renderApp('/zones/7/members');
  await screen.findByText('person-149@example.org');
  return { user, server, table: screen.getByRole('table', { name: 'Members' }) };
}

describe('Members', () => {
  it('are loaded in blocks around the part on the screen', async () => {
    const { server, table } = await openMembers();
    expect(table).toHaveAttribute('aria-rowcount', '151');
    const offsets = server.callsTo('GET /api/zones/7/members').map(({ query }) => query.get('offset'));
    expect(offsets).toEqual(['0', '100']);
  });

  it('disappear at once when they are removed, and those after them move up', async () => {
    const { user, table } = await openMembers({
      'DELETE /api/zones/7/members/99': () => new Promise<never>(() => undefined),
    });
    await user.click(screen.getByRole('button', { name: 'Actions for Person 99' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove' }));
    await waitFor(() => expect(table).toHaveAttribute('aria-rowcount', '150'));
    expect(screen.queryByText('person-99@example.org')).not.toBeInTheDocument();
    expect(screen.getByText('person-149@example.org')).toBeInTheDocument();
  });
});
