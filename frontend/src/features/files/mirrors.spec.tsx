import { act, screen, waitFor, within } from '@testing-library/react';
import { mockApi, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeForeignZone, makeZone } from '../../../test/zones';
import type { Folder, StoredFile } from './entries';

const folder = (changes: Partial<Folder>): Folder => ({
  id: 3,
  name: 'Masters',
  zoneId: 7,
  parentId: null,
  createdById: 1,
  fileCount: 1,
  folderCount: 0,
  isMirror: false,
  fileRequest: null,
  readOnly: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  can: { upload: false, createFolder: false, rename: false, move: false, delete: false, share: false },
  ...changes,
});

const mirrorFolder = folder({
  isMirror: true,
  can: { upload: false, createFolder: false, rename: true, move: false, delete: true, share: false },
});

const file = {
  id: 5,
  name: 'Score.txt',
  originalName: 'Score.txt',
  mimeType: 'text/plain',
  size: 10,
  viewCount: 0,
  downloadCount: 0,
  viewable: true,
  readOnly: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  allowDownload: true,
  allowText: true,
  can: { view: true, download: true, text: true, rename: false, move: false, delete: false, allowDownload: false },
} as StoredFile;

function openZone(
  path: string,
  { zone = makeZone(), folders = [mirrorFolder] as Folder[], files = [] as StoredFile[] } = {},
) {
  mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, zone],
    'GET /api/zones/7/folders': [200, folders],
    'GET /api/zones/7/files': [200, files],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/folders/3': [200, { ...mirrorFolder, path: [{ id: 3, name: 'Masters' }] }],
  });
  return renderApp(path);
}

beforeEach(() => localStorage.clear());

async function focusItem(name: string) {
  const item = await screen.findByRole('button', { name });
  act(() => item.focus());
}

describe('Mirror folder', () => {
  it('shows its badge and is marked as read-only in its menu', async () => {
    const { user } = await openZone('/zones/7');
    expect(await screen.findByRole('img', { name: 'Mirror folder - read only' })).toHaveTextContent(/^m$/);
    await user.click(screen.getByRole('button', { name: 'Actions for Masters' }));
    expect(screen.getByRole('menuitem', { name: 'Mirror folder - read only' })).toHaveAttribute('aria-disabled');
    expect(screen.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  });

  it('has no way to the trash, to which nothing of it goes', async () => {
    const { unmount } = await openZone('/zones/7/folders/3', { folders: [], files: [file] });
    expect(await screen.findByRole('button', { name: 'New Folder' })).toBeDisabled();
    expect(screen.queryByRole('link', { name: 'Trash of this zone' })).not.toBeInTheDocument();
    unmount();
    await openZone('/zones/7', { folders: [], files: [file] });
    expect(await screen.findByRole('link', { name: 'Trash of this zone' })).toBeInTheDocument();
  });

  it('rejects changes to its contents with a reason', async () => {
    const { user } = await openZone('/zones/7/folders/3', { folders: [], files: [file] });
    await focusItem('Score.txt');
    await user.keyboard('{F2}');
    expect(await screen.findByText('Operation Not Allowed')).toBeVisible();
    expect(screen.getByText(/make changes in the source zone/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await focusItem('Score.txt');
    await user.keyboard('{Control>}a{/Control}{Delete}');
    expect(await screen.findByText('Operation Not Allowed')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  });

  it('lets a member select items for download but not change them', async () => {
    const { user } = await openZone('/zones/7', { zone: makeForeignZone(), files: [file] });
    await focusItem('Score.txt');
    await user.keyboard('{Control>}a{/Control}{F2}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Score.txt' })).toHaveFocus());
    const bar = screen.getByRole('toolbar', { name: 'Selection' });
    const buttons = within(bar).getAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Download', 'Cancel']);
    expect(screen.queryByText('Operation Not Allowed')).toBeNull();
  });
});
