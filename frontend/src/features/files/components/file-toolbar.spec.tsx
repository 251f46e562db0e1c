import { fireEvent, screen, within } from '@testing-library/react';
import { makeUser, mockApi } from '../../../../test/api';
import { mockPhone } from '../../../../test/mobile';
import { renderApp } from '../../../../test/render';
import { makeForeignZone, makeZone } from '../../../../test/zones';
import type { Folder, StoredFile } from '../entries';

const file = {
  id: 5,
  name: 'Notes.txt',
  originalName: 'Notes.txt',
  mimeType: 'text/plain',
  size: 10,
  viewCount: 0,
  downloadCount: 0,
  viewable: true,
  readOnly: false,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  allowDownload: true,
  allowText: true,
  can: { view: true, download: true, text: true, rename: true, move: true, delete: true, allowDownload: true },
} as StoredFile;

const mirror = {
  id: 3,
  name: 'Masters',
  zoneId: 7,
  parentId: null,
  readOnly: true,
  isMirror: true,
  can: { upload: false, createFolder: false, rename: true, move: false, delete: true },
} as Folder;

function openZone(path = '/zones/7', { zone = makeZone(), files = [file] } = {}) {
  mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, zone],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/files': [200, files],
    'GET /api/zones/7/join-requests': [200, []],
    'GET /api/folders/3': [200, { ...mirror, path: [{ id: 3, name: 'Masters' }] }],
  });
  return renderApp(path);
}

beforeEach(() => {
  localStorage.clear();
  mockPhone();
});
afterEach(() => jest.restoreAllMocks());

describe('Zone on a phone', () => {
  it('has the search, then one row of tools with a menu before the main action', async () => {
    const { user } = await openZone();
    expect(await screen.findByRole('button', { name: 'Upload' })).toBeInTheDocument();
    expect(screen.getByRole('searchbox', { name: 'Search this zone' })).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Trash of this zone' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'New Folder' })).not.toBeInTheDocument();
    const menu = screen.getByRole('button', { name: 'More Actions' });
    expect(menu.compareDocumentPosition(screen.getByRole('button', { name: 'Upload' }))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
    await user.click(menu);
    const list = within(await screen.findByRole('menu', { name: 'More Actions' }));
    expect(list.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'New Folder',
      'Upload Folder',
      'Download All',
      'Trash of this zone',
    ]);
    await user.click(list.getByRole('menuitem', { name: 'New Folder' }));
    expect(await screen.findByRole('dialog', { name: 'New Folder' })).toBeInTheDocument();
  });

  it('keeps the search above a selection bar of icons', async () => {
    const { user } = await openZone();
    const item = await screen.findByRole('button', { name: 'Notes.txt' });
    await user.keyboard('{Control>}');
    await user.click(item);
    await user.keyboard('{/Control}');
    const bar = within(await screen.findByRole('toolbar', { name: 'Selection' }));
    const buttons = bar.getAllByRole('button');
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Download',
      'Move to…',
      'Copy to…',
      'Delete',
      'Cancel',
    ]);
    expect(buttons.map(({ textContent }) => textContent).join('')).toBe('');
    expect(screen.getByRole('searchbox', { name: 'Search this zone' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Upload' })).not.toBeInTheDocument();
  });

  it('opens the menu of an entry by right click, but not by the long press of a finger', async () => {
    await openZone();
    const item = await screen.findByRole('button', { name: 'Notes.txt' });
    // jsdom has no pointer events.
    const press = (pointerType: string) =>
      fireEvent(item, Object.assign(new MouseEvent('pointerdown', { bubbles: true, button: 2 }), { pointerType }));
    press('touch');
    expect(fireEvent.contextMenu(item)).toBe(false);
    expect(screen.queryByRole('menu')).not.toBeInTheDocument();
    press('mouse');
    expect(fireEvent.contextMenu(item)).toBe(false);
    expect(await screen.findByRole('menu', { name: 'Actions for Notes.txt' })).toBeInTheDocument();
  });

  it('reverses the order in the sort menu', async () => {
    const { user } = await openZone();
    await user.click(await screen.findByRole('button', { name: 'Sort by Name' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sort descending' }));
    await user.click(screen.getByRole('button', { name: 'Sort by Name' }));
    expect(await screen.findByRole('menuitem', { name: 'Sort ascending' })).toBeInTheDocument();
  });

  it('offers nothing in an empty mirror that can’t be done there', async () => {
    await openZone('/zones/7/folders/3', { files: [] });
    expect(await screen.findByText('Files added to the source folder appear here.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'More Actions' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'New Folder' })).not.toBeInTheDocument();
  });

  it('lets members download everything without a menu', async () => {
    await openZone('/zones/7', { zone: makeForeignZone() });
    expect(await screen.findByRole('button', { name: 'Download All' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'More Actions' })).not.toBeInTheDocument();
  });
});
