import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, errorResponse, makeUser, type MockResponse } from '../../../../test/api';
import { freezeClock, daysFromNow } from '../../../../test/clock';
import { renderApp } from '../../../../test/render';
import { makeForeignZone, makeZone } from '../../../../test/zones';
import { daysLeft } from './trash-utils';
import type { TrashEntry } from './use-trash';

freezeClock();
const entry = (changes: Partial<TrashEntry>): TrashEntry => ({
  kind: 'file',
  id: 5,
  trashId: '4c2b1a90-0000-4000-8000-000000000001',
  name: 'Score.txt',
  mimeType: 'text/plain',
  fileCount: 1,
  size: 1024,
  location: ['Drafts', 'Old'],
  deletedBy: 'Deniz Acar',
  deletedAt: daysFromNow(-0.001),
  purgesAt: daysFromNow(29.2),
  ...changes,
});
const folder = entry({
  kind: 'folder',
  id: 9,
  name: 'Sketches',
  mimeType: null,
  fileCount: 3,
  size: 2048,
  location: [],
});

function openTrash(more: Record<string, MockResponse> = {}, zone = makeZone()) {
  const server = mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, zone],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/zones/7/trash': [200, [entry({}), folder]],
    ...more,
  });
  return renderApp('/zones/7/trash').then((view) => ({ ...view, server }));
}

describe('Trash of a zone', () => {
  it('shows the items with their original folder, size and deletion date', async () => {
    await openTrash();
    const row = within((await screen.findByText('Score.txt')).closest<HTMLElement>('[role=row]')!);
    expect(row.getByText('Drafts / Old')).toBeVisible();
    expect(row.getAllByText(/in 29 days/)[0]).toBeVisible();
    expect(row.getByText(/Deniz Acar/)).toBeVisible();
    expect(screen.getByText('Top of the zone · 3 files')).toBeVisible();
    expect(screen.getByText(/stay in the trash for 30 days.*2 items, 3.0 KB\./)).toBeVisible();
  });

  it('offers permanent deletion to the owner only', async () => {
    const adminZone = makeForeignZone({ memberRole: 'admin' });
    const { user } = await openTrash({}, { ...adminZone, can: { ...adminZone.can, manageFiles: true } });
    expect(await screen.findByRole('button', { name: 'Restore Score.txt' })).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'Select Score.txt' }));
    expect(screen.getByRole('button', { name: 'Restore' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /forever|Empty Trash/i })).toBeNull();
  });

  it('restores a single item or several selected ones', async () => {
    const restored = [{ kind: 'file', id: 5, name: 'Score (1).txt', folderId: null }];
    const { user, server } = await openTrash({ 'POST /api/zones/7/trash/restore': [200, restored] });
    await user.click(await screen.findByRole('button', { name: 'Restore Score.txt' }));
    expect(await screen.findByText('“Score (1).txt” restored')).toBeVisible();
    expect(server.callsTo('POST /api/zones/7/trash/restore')[0]?.body).toEqual({ fileIds: [5], folderIds: [] });
    await user.click(screen.getByRole('checkbox', { name: 'Select Score.txt' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select Sketches' }));
    await user.click(screen.getByRole('button', { name: 'Restore' }));
    await waitFor(() => expect(server.callsTo('POST /api/zones/7/trash/restore')).toHaveLength(2));
    expect(server.callsTo('POST /api/zones/7/trash/restore')[1]?.body).toEqual({ fileIds: [5], folderIds: [9] });
  });

  it('deletes permanently only after confirmation and reports the freed space', async () => {
    const { user, server } = await openTrash({ 'POST /api/zones/7/trash/purge': [200, { files: 3, bytes: 2048 }] });
    await user.click(await screen.findByRole('button', { name: 'Delete Sketches forever' }));
    const question = within(screen.getByRole('dialog', { name: 'Delete “Sketches” forever?' }));
    expect(question.getByText(/All files in deleted folders.*permanent and cannot be undone/)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(server.callsTo('POST /api/zones/7/trash/purge')).toHaveLength(0);
    await user.click(await screen.findByRole('button', { name: 'Empty Trash' }));
    const all = within(await screen.findByRole('dialog', { name: 'Empty the trash? It contains 2 items.' }));
    await user.click(all.getByRole('button', { name: 'Empty Trash' }));
    expect(await screen.findByText('2.0 KB freed up.')).toBeVisible();
    expect(server.callsTo('POST /api/zones/7/trash/purge')[0]?.body).toEqual({ all: true });
  });

  it('shows why an item could not be restored', async () => {
    const notFound = errorResponse(404, 'TRASH_NOT_FOUND', 'This item is no longer in the trash.');
    const { user } = await openTrash({ 'POST /api/zones/7/trash/restore': notFound });
    await user.click(await screen.findByRole('button', { name: 'Restore Score.txt' }));
    expect(await screen.findByText('This item is no longer in the trash.')).toBeVisible();
  });

  it('is hidden from regular members', async () => {
    const { server } = await openTrash({}, makeForeignZone());
    expect(await screen.findByText('You can’t see this trash')).toBeVisible();
    expect(server.callsTo('GET /api/zones/7/trash')).toHaveLength(0);
  });
});

describe('daysLeft', () => {
  it('rounds to the nearest day and returns 0 in the last hours', () => {
    const now = Date.parse('2026-11-21T12:00:00.000Z');
    const left = (at: string) => daysLeft(at, now);
    expect(left('2026-12-21T12:00:00.000Z')).toBe(30);
    expect(left('2026-11-23T11:59:00.000Z')).toBe(2);
    expect(left('2026-11-21T20:00:00.000Z')).toBe(0);
    expect(left('2026-11-20T12:00:00.000Z')).toBe(0);
  });
});
