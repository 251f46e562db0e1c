import { act, screen, waitFor } from '@testing-library/react';
import { errorResponse, mockApi, makeUser, type MockResponse } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';
import type { Folder, StoredFile } from './entries';

const can = { view: true, download: true, rename: true, move: true, delete: true };
const times = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' };
const makeFile = (id: number, name: string) =>
  ({
    ...{ id, name, originalName: name, mimeType: 'text/plain', size: 10, zoneId: 7, folderId: null, version: 1 },
    ...{ viewCount: 0, downloadCount: 0, viewable: true, readOnly: false, thumbnailUrl: null, ...times, can },
  }) as unknown as StoredFile;
const makeFolder = (id: number, name: string) =>
  ({
    ...{ id, name, zoneId: 7, parentId: null, fileCount: 0, folderCount: 0, isMirror: false, readOnly: false },
    ...{ fileRequest: null, ...times, can: { rename: true, move: true, delete: true } },
  }) as unknown as Folder;

async function openZone(more: Record<string, MockResponse>) {
  localStorage.setItem('zonary.files.view', 'list');
  const server = mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/zones/7/folders': [200, [makeFolder(1, 'Ders 2'), makeFolder(2, 'Ders 10')]],
    'GET /api/zones/7/files': [200, [makeFile(11, 'a.txt'), makeFile(12, 'b.txt'), makeFile(13, 'c.txt')]],
    'GET /api/zones/7/join-requests': [200, []],
    ...more,
  });
  const { user } = await renderApp('/zones/7');
  await screen.findByRole('button', { name: 'b.txt' });
  const callCount = server.calls.length;
  const focus = (name: string) => act(() => screen.getByRole('button', { name }).focus());
  return { user, focus, server, newCalls: () => server.calls.slice(callCount).map(({ route }) => route) };
}

const rowNames = () => [...document.querySelectorAll('[data-item]')].map(({ textContent }) => textContent);

describe('A change in a folder', () => {
  beforeEach(() => localStorage.clear());

  it('is one request for a new name, and the file stays where it is', async () => {
    const { user, focus, newCalls } = await openZone({
      'PATCH /api/files/12/rename': [200, makeFile(12, 'z.txt')],
    });
    focus('b.txt');
    await user.keyboard('{F2}');
    const field = await screen.findByLabelText('Name');
    await user.clear(field);
    await user.type(field, 'z.txt{Enter}');
    await screen.findByText('File renamed');
    expect(rowNames()).toEqual(['Ders 2', 'Ders 10', 'a.txt', 'z.txt', 'c.txt']);
    expect(newCalls()).toEqual(['PATCH /api/files/12/rename']);
  });

  it('is one request for a new folder, which is put in its place', async () => {
    const { user, newCalls } = await openZone({ 'POST /api/zones/7/folders': [201, makeFolder(3, 'Ders 3')] });
    await user.click(screen.getByRole('button', { name: 'New Folder' }));
    await user.type(await screen.findByLabelText('Folder name'), 'Ders 3{Enter}');
    await waitFor(() => expect(rowNames().slice(0, 3)).toEqual(['Ders 2', 'Ders 3', 'Ders 10']));
    expect(newCalls()).toEqual(['POST /api/zones/7/folders']);
  });

  it('is one request for a deletion, and all lists again if it fails', async () => {
    const { user, focus, server, newCalls } = await openZone({
      'POST /api/zones/7/delete': [200, { trashId: 'e5b1' }],
    });
    focus('b.txt');
    await user.keyboard('{Delete}');
    await screen.findByText('File deleted');
    act(() => screen.getByRole('link', { name: 'Ders 2' }).focus());
    await user.keyboard('{Delete}');
    await screen.findByText('Folder deleted');
    expect(rowNames()).toEqual(['Ders 10', 'a.txt', 'c.txt']);
    expect(newCalls()).toEqual(['POST /api/zones/7/delete', 'POST /api/zones/7/delete']);

    server.setResponse('POST /api/zones/7/delete', errorResponse(403, 'ZONE_FORBIDDEN', 'Not allowed.'));
    focus('a.txt');
    await user.keyboard('{Delete}');
    await waitFor(() => expect(rowNames()).toContain('b.txt'));
    expect(newCalls()).toContain('GET /api/zones/7/files');
  });
});
