import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, makeUser } from '../../../test/api';
import { freezeClock, daysFromNow } from '../../../test/clock';
import { renderApp } from '../../../test/render';
import { makeForeignZone } from '../../../test/zones';
import { sortSharedZones, type SharedZone } from './sort-shared-zones';

freezeClock();
const zone = (id: number, changes: Partial<SharedZone>) => ({ ...makeForeignZone(), id, ...changes }) as SharedZone;

const zones = [
  zone(1, { name: 'Bölüm 10', memberRole: 'member', updatedAt: '2026-11-01T10:00:00.000Z' }),
  zone(2, {
    name: 'Bölüm 2',
    memberRole: 'admin',
    updatedAt: '2026-11-03T10:00:00.000Z',
    memberExpiresAt: daysFromNow(5),
  }),
  zone(3, {
    name: 'Çizim',
    memberRole: 'member',
    updatedAt: '2026-11-02T10:00:00.000Z',
    memberExpiresAt: daysFromNow(-1),
  }),
];

beforeEach(() => localStorage.clear());

async function renderSharedZones(list = zones) {
  mockApi({ 'GET /api/user': [200, makeUser()], 'GET /api/shared-zones': [200, list] });
  return renderApp('/shared-zones');
}

const getZoneNames = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

describe('Order of shared zones', () => {
  const ids = (by: 'name' | 'role' | 'updated', order: 'asc' | 'desc', list = zones) =>
    sortSharedZones(list, { by, order }, 'tr').map(({ id }) => id);

  it('is by name with natural numbers, by role or by last change', () => {
    expect(ids('name', 'asc')).toEqual([2, 1, 3]);
    expect(ids('name', 'desc')).toEqual([3, 1, 2]);
    expect(ids('role', 'desc')).toEqual([2, 1, 3]);
    expect(ids('updated', 'desc')).toEqual([2, 3, 1]);
  });

  it('lists favourites first in both directions', () => {
    const list = [zone(4, { name: 'Z', isFavorite: true }), ...zones];
    expect(ids('name', 'asc', list)[0]).toBe(4);
    expect(ids('name', 'desc', list)[0]).toBe(4);
  });
});

describe('Shared zones page', () => {
  it('shows a neutral email notice and the role and end of each membership', async () => {
    await renderSharedZones();
    expect(await screen.findByRole('note')).toHaveTextContent(/you receive ALL emails/);
    expect(screen.getByRole('note')).toHaveClass('MuiAlert-colorInfo');
    const list = within(screen.getByRole('list', { name: 'Zones shared with you' }));
    const cards = list.getAllByRole('listitem').map((item) => within(item));
    const [admin, expired, unlimited] = [cards[0]!, cards[1]!, cards[2]!];
    expect(admin.getByText('Admin')).toBeInTheDocument();
    expect(admin.getByText('Expires in 5 days')).toBeInTheDocument();
    expect(expired.getByText('Expired')).toBeInTheDocument();
    expect(unlimited.getByText('Never expires')).toBeInTheDocument();
    expect(unlimited.getByText(/^12 members · Updated/)).toBeInTheDocument();
    expect(unlimited.getByRole('link', { name: 'View Files of Bölüm 10' })).toHaveAttribute('href', '/zones/1');
  });

  it('lists documents to continue below the zones', async () => {
    const place = { zoneId: 1, zoneName: 'Bölüm 10', page: 12, pageCount: 30 };
    const document = { id: 12, name: 'Course.pdf', ...place, thumbnailUrl: null };
    mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/shared-zones': [200, zones],
      'GET /api/home': [200, { zones: [], continueReading: [document], recentFiles: [], invitations: [] }],
    });
    await renderApp('/shared-zones');
    const unfinished = within(await screen.findByRole('region', { name: 'Continue Reading' }));
    expect(unfinished.getByRole('link')).toHaveAttribute('href', '/zones/1/files/12?page=12');
  });

  it('shows no link to a zone whose membership has expired', async () => {
    await renderSharedZones();
    await screen.findByText('Expired');
    expect(screen.queryByRole('link', { name: 'View Files of Çizim' })).not.toBeInTheDocument();
  });

  it('removes expired memberships from the list and offers that for no others', async () => {
    const server = mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/shared-zones': [200, zones],
      'DELETE /api/shared-zones/3': [204, undefined],
      'POST /api/shared-zones/3/restore': [204, undefined],
    });
    const { user } = await renderApp('/shared-zones');
    const dismiss = await screen.findByRole('button', { name: 'Remove Çizim from the list' });
    expect(screen.getAllByRole('button', { name: /from the list$/ })).toEqual([dismiss]);
    server.setResponse('GET /api/shared-zones', [200, zones.slice(0, 2)]);
    await user.click(dismiss);
    expect(await screen.findByText('Removed from your list')).toBeInTheDocument();
    expect(server.callsTo('DELETE /api/shared-zones/3')).toHaveLength(1);
    await waitFor(() => expect(getZoneNames()).toEqual(['Bölüm 2', 'Bölüm 10']));
    // The button is gone, so the next zone has the focus.
    expect(within(screen.getAllByRole('listitem').at(-1)!).getAllByRole('button')[0]).toHaveFocus();

    server.setResponse('GET /api/shared-zones', [200, zones]);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Back in your list')).toBeInTheDocument();
    expect(getZoneNames()).toHaveLength(3);
  });

  it('says why a removed zone could not be put back', async () => {
    mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/shared-zones': [200, zones],
      'DELETE /api/shared-zones/3': [204, undefined],
      'POST /api/shared-zones/3/restore': [404, { message: 'Zone not found', code: 'ZONE_NOT_FOUND' }],
    });
    const { user } = await renderApp('/shared-zones');
    await user.click(await screen.findByRole('button', { name: 'Remove Çizim from the list' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Couldn’t put the zone back in your list')).toBeInTheDocument();
    expect(screen.getByText('Zone not found')).toBeInTheDocument();
  });

  it('moves the focus to the heading when the last zone is removed', async () => {
    const server = mockApi({
      'GET /api/user': [200, makeUser()],
      'GET /api/shared-zones': [200, [zones[2]]],
      'DELETE /api/shared-zones/3': [204, undefined],
    });
    const { user } = await renderApp('/shared-zones');
    const dismiss = await screen.findByRole('button', { name: 'Remove Çizim from the list' });
    server.setResponse('GET /api/shared-zones', [200, []]);
    await user.click(dismiss);
    expect(await screen.findByText('Nothing is shared with you yet')).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Shared with Me' })).toHaveFocus();
  });

  it('remembers the chosen sort order', async () => {
    const { user, unmount } = await renderSharedZones();
    await screen.findByText('Expired');
    expect(getZoneNames()).toEqual(['Bölüm 2', 'Çizim', 'Bölüm 10']);
    await user.click(screen.getByRole('button', { name: 'Sort by Updated' }));
    await user.click(screen.getByRole('menuitemradio', { name: 'Name' }));
    await user.click(screen.getByRole('button', { name: 'Sort ascending' }));
    expect(getZoneNames()).toEqual(['Bölüm 2', 'Bölüm 10', 'Çizim']);
    unmount();
    await renderSharedZones();
    await screen.findByText('Expired');
    expect(getZoneNames()).toEqual(['Bölüm 2', 'Bölüm 10', 'Çizim']);
  });

  it('shows an empty state', async () => {
    await renderSharedZones([]);
    expect(await screen.findByText('Nothing is shared with you yet')).toBeInTheDocument();
    expect(screen.queryByText(/ALL emails/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to My Zones' })).toHaveAttribute('href', '/zones');
  });

  it('leads people without own zones nowhere', async () => {
    mockApi({ 'GET /api/user': [200, makeUser({ zoneCount: 0 })], 'GET /api/shared-zones': [200, []] });
    await renderApp('/shared-zones');
    expect(await screen.findByText('You aren’t in any zone')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Go to My Zones' })).not.toBeInTheDocument();
  });
});
