import { act, screen } from '@testing-library/react';
import { pretendApi, someone } from '../../../test/api';
import { renderProduct } from '../../../test/render';
import { someZone } from '../../../test/zones';
import type { StoredFile } from './entries';

const file = {
  ...{ id: 5, name: 'Score.pdf', originalName: 'Score.pdf', mimeType: 'application/pdf', size: 10, zoneId: 7 },
  ...{ viewCount: 0, downloadCount: 0, viewable: true, readOnly: false, allowDownload: true },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z', thumbnailUrl: null },
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

async function askFor(name: string, given = name) {
  const named = { ...file, name, originalName: name };
  const server = pretendApi({
    'GET /api/user': [200, someone()],
    'GET /api/zones/7': [200, someZone()],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/files': [200, [named]],
    'GET /api/zones/7/join-requests': [200, []],
    'PATCH /api/files/5/rename': [200, { ...named, originalName: given }],
  });
  const { user } = await renderProduct('/zones/7');
  const item = await screen.findByRole('button', { name });
  act(() => item.focus());
  await user.keyboard('{F2}');
  return { server, user, field: await screen.findByLabelText<HTMLInputElement>('Name') };
}

async function rename(to: string, given: string) {
  const { user, field } = await askFor('Score.pdf', given);
  await user.clear(field);
  await user.type(field, `${to}{Enter}`);
  await screen.findByText('File renamed');
}

describe('renaming a file', () => {
  beforeEach(() => localStorage.clear());

  it('tells the extension that was added', async () => {
    await rename('Notes.txt', 'Notes.txt.pdf');
    expect(
      screen.getByText('The extension .pdf was added: the file is now called “Notes.txt.pdf”.'),
    ).toBeInTheDocument();
  });

  it('tells nothing more where the name is the one that was given', async () => {
    await rename('Notes.pdf', 'Notes.pdf');
    expect(screen.queryByText(/was added/)).not.toBeInTheDocument();
  });

  it('keeps all of .tar.gz when its name is typed over', async () => {
    const { field } = await askFor('Scores.tar.gz');
    expect(field).toHaveAccessibleDescription('The extension .tar.gz is kept.');
    expect(field.value.slice(field.selectionStart!, field.selectionEnd!)).toBe('Scores');
  });
});
