import { screen, waitFor, within } from '@testing-library/react';
import { mockApi, makeUser } from '../../../../test/api';
import { renderApp } from '../../../../test/render';
import { makeZone } from '../../../../test/zones';
import type { StoredFile } from '../entries';

const file = (failure: string, rename = true) =>
  ({
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
    document: { state: 'failed', failure },
    can: { view: true, download: true, rename, move: false, delete: false, allowDownload: false, seeOpenings: false },
  }) as StoredFile;

function openZone(listedFile: StoredFile, language: 'en' | 'tr' = 'en') {
  const server = mockApi({
    'GET /api/user': [200, makeUser({ language })],
    'GET /api/zones/7': [200, makeZone()],
    'GET /api/zones/7/folders': [200, []],
    'GET /api/zones/7/files': [200, [listedFile]],
    'GET /api/zones/7/join-requests': [200, []],
    'POST /api/files/5/pages/retry': [204],
  });
  return { server, page: renderApp('/zones/7', { language }) };
}

const damagedText = 'Members can’t view it: this document is damaged';

describe('File that could not be rendered', () => {
  it('shows the reason and can be retried from its menu', async () => {
    const { server, page } = openZone(file('damaged'));
    const { user } = await page;
    expect(await screen.findByRole('img', { name: damagedText })).toBeVisible();
    server.setResponse('GET /api/zones/7/files', [
      200,
      [{ ...file('damaged'), document: { state: 'waiting', failure: null } }],
    ]);
    await user.click(screen.getByRole('button', { name: 'Actions for Score.pdf' }));
    await user.click(screen.getByRole('menuitem', { name: 'Try Again' }));
    expect(server.callsTo('POST /api/files/5/pages/retry')).toHaveLength(1);
    await waitFor(() => expect(screen.queryByRole('img', { name: damagedText })).not.toBeInTheDocument());
  });

  it('shows the reason in the user’s language and offers no retry for an empty file', async () => {
    const { user } = await openZone(file('empty'), 'tr').page;
    expect(await screen.findByRole('img', { name: 'Bu belge boş' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Score.pdf için işlemler' }));
    expect(screen.queryByRole('menuitem', { name: 'Yeniden Dene' })).not.toBeInTheDocument();
  });

  it('is shown as password-protected, with reading figures and without a retry, when locked', async () => {
    const lockedFile = file('locked');
    const { user } = await openZone({ ...lockedFile, can: { ...lockedFile.can, seeOpenings: true } }).page;
    const expectedText = 'Members are asked for a password: this document is password-protected';
    expect(await screen.findByRole('img', { name: expectedText })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Actions for Score.pdf' }));
    expect(screen.getByRole('menuitem', { name: 'Reading Figures' })).toBeVisible();
    expect(screen.queryByRole('menuitem', { name: 'Try Again' })).not.toBeInTheDocument();
  });

  it.each([
    ['no-office', 'Members can’t view it: LibreOffice isn’t installed on this server'],
    ['locked', 'They view it here as page images. The original file is never sent to them.'],
  ])('shows in its permissions whether members can view it without download: %s', async (failure, expectedText) => {
    const failedFile = file(failure);
    const { user } = await openZone({
      ...failedFile,
      allowDownload: false,
      can: { ...failedFile.can, allowDownload: true },
    }).page;
    await user.click(await screen.findByRole('button', { name: 'Actions for Score.pdf' }));
    await user.click(screen.getByRole('menuitem', { name: 'Member Permissions…' }));
    expect(within(await screen.findByRole('dialog')).getByText(expectedText)).toBeVisible();
  });

  it('shows no failure to members who can only read', async () => {
    const { user } = await openZone(file('damaged', false)).page;
    await user.click(await screen.findByRole('button', { name: 'Actions for Score.pdf' }));
    expect(screen.queryByRole('img', { name: damagedText })).not.toBeInTheDocument();
    expect(screen.queryByRole('menuitem', { name: 'Try Again' })).not.toBeInTheDocument();
  });
});
