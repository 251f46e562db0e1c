import { act, screen } from '@testing-library/react';
import { mockApi, makeUser } from '../../../test/api';
import { renderApp } from '../../../test/render';
import { makeZone } from '../../../test/zones';
import type { StoredFile } from './entries';

const file = {
  id: 5,
  name: 'Score.pdf',
  originalName: 'Score.pdf',
  mimeType: 'application/pdf',
  size: 10,
  zoneId: 7,
  viewCount: 0,
  downloadCount: 0,
  viewable: true,
  readOnly: false,
  allowDownload: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  thumbnailUrl: null,
  can: {
    view: true,
    download: true,
    rename: true,
    move: false,
    delete: false,
    allowDownload: false,
    seeOpenings: false,
  },
} as StoredFile;

async function openRenameDialog(name: string, savedName = name) {
  const namedFile = { ...file, name, originalName: name };
  const server = mockApi({
    'GET /api/user': [200, makeUser()],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/files': [200, [namedFile]],
    'GET /api/zones/7/join-requests': [200, []],
    'PATCH /api/files/5/rename': [200, { ...namedFile, originalName: savedName }],
  });
  const { user } = await renderApp('/zones/7');
  const item = await screen.findByRole('button', { name });
  act(() => item.focus());
  await user.keyboard('{F2}');
  return { server, user, field: await screen.findByLabelText<HTMLInputElement>('Name') };
}

async function renameFile(to: string, savedName: string) {
  const { user, field } = await openRenameDialog('Score.pdf', savedName);
  await user.clear(field);
  await user.type(field, `${to}{Enter}`);
  await screen.findByText('File renamed');
}

describe('Renaming a file', () => {
  beforeEach(() => localStorage.clear());

  it('reports the extension that was added', async () => {
    await renameFile('Notes.txt', 'Notes.txt.pdf');
    expect(
      screen.getByText('The extension .pdf was added: the file is now called “Notes.txt.pdf”.'),
    ).toBeInTheDocument();
  });

  it('reports nothing more when the name is unchanged by the server', async () => {
    await renameFile('Notes.pdf', 'Notes.pdf');
    expect(screen.queryByText(/was added/)).not.toBeInTheDocument();
  });

  it('preserves the whole .tar.gz extension when the name is typed over', async () => {
    const { field } = await openRenameDialog('Scores.tar.gz');
    expect(field).toHaveAccessibleDescription('The extension .tar.gz is kept.');
    expect(field.value.slice(field.selectionStart!, field.selectionEnd!)).toBe('Scores');
  });
});
