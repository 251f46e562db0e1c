import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { pngFile, textFile } from '../support/sample-files.ts';
import { expect, expectAccessible, makeUser, registerUser, test } from '../support/test.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { createFolder, createUserWithZone } from '../support/zones.ts';

const fileButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const selectionToolbar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });

/** A signed-in user in a new zone with a folder, a picture and a text. */
async function openNewZone(page: Page, mailbox: Mailbox): Promise<number> {
  await registerUser(page, mailbox, makeUser());
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const zone = await page.request.post('/api/zones', { headers, data: { name: 'Studio', type: 'public' } });
  const { id } = (await zone.json()) as { id: number };
  await page.request.post(`/api/zones/${id}/folders`, { headers, data: { name: 'Drafts' } });
  await page.goto(`/zones/${id}`);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles([textFile('Notes.txt', 'notes'), pngFile('Cover.png')]);
  for (const name of ['Notes.txt', 'Cover.png']) await expect(fileButton(page, name)).toBeVisible();
  return id;
}

/**
 * Ends the session so that only a download notices. Background requests (usage after an upload, changes of the list)
 * are left unanswered; a 401 to one of them would cover the menu with the sign-in screen.
 */
async function endSession(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    if (route.request().resourceType() === 'document') await route.fallback();
  });
  await page.context().clearCookies();
}

/** Lists the names in an archive from its central directory. */
function listZipNames(zip: Buffer): string[] {
  const names: string[] = [];
  const endRecord = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let offset = zip.readUInt32LE(endRecord + 16); offset < endRecord;) {
    const length = zip.readUInt16LE(offset + 28);
    names.push(zip.toString('utf8', offset + 46, offset + 46 + length));
    offset += 46 + length + zip.readUInt16LE(offset + 30) + zip.readUInt16LE(offset + 32);
  }
  return names.sort();
}

test('a user downloads several items as one archive and a single file as itself', async ({ page, mailbox }) => {
  await openNewZone(page, mailbox);
  await fileButton(page, 'Cover.png').click({ modifiers: ['Control'] });
  await page.keyboard.press('Control+a');
  await expect(selectionToolbar(page)).toContainText('3 selected');
  await expectAccessible(page);
  const [zipDownload] = await Promise.all([
    page.waitForEvent('download'),
    selectionToolbar(page).getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(zipDownload.suggestedFilename()).toBe('Studio.zip');
  expect(listZipNames(await readFile(await zipDownload.path()))).toEqual(['Cover.png', 'Drafts/', 'Notes.txt']);
  await selectionToolbar(page).getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Actions for Drafts' }).click();
  const [folderDownload] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download' }).click(),
  ]);
  expect(folderDownload.suggestedFilename()).toBe('Drafts.zip');

  await fileButton(page, 'Notes.txt').click({ modifiers: ['Control'] });
  const [fileDownload] = await Promise.all([
    page.waitForEvent('download'),
    selectionToolbar(page).getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(fileDownload.suggestedFilename()).toBe('Notes.txt');
});

test('a user with an expired session is asked to sign in instead of downloading an error', async ({
  page,
  mailbox,
}) => {
  const id = await openNewZone(page, mailbox);
  await expect(fileButton(page, 'Notes.txt')).toBeVisible();
  const savedFiles: string[] = [];
  page.on('download', (download) => savedFiles.push(download.suggestedFilename()));
  await endSession(page);
  await page.getByRole('button', { name: 'Actions for Notes.txt' }).click();
  await page.getByRole('menuitem', { name: 'Download', exact: true }).click();
  await expect(page.getByText('Download failed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`/zones/${id}`);
  expect(savedFiles).toEqual([]);
});

test('a user with an expired session is asked to sign in when exporting a list with any click', async ({
  page,
  mailbox,
}) => {
  await createUserWithZone(page, mailbox);
  await page.goto('/analytics');
  const exportLink = page.getByRole('link', { name: 'Download Zones as CSV' });
  const [csvDownload] = await Promise.all([
    page.waitForEvent('download'),
    exportLink.click({ modifiers: ['ControlOrMeta'] }),
  ]);
  expect(csvDownload.suggestedFilename()).toMatch(/\.csv$/);

  const savedFiles: string[] = [];
  page.on('download', (download) => savedFiles.push(download.suggestedFilename()));
  await endSession(page);
  await exportLink.click({ button: 'middle' });
  await expect(page.getByText('Download failed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  expect(page.context().pages()).toHaveLength(1);
  expect(new URL(page.url()).pathname).toBe('/analytics');
  expect(savedFiles).toEqual([]);
});

test('a user sees in the page why an archive download was rejected', async ({ page, mailbox }) => {
  const id = await createUserWithZone(page, mailbox);
  const draftsId = await createFolder(page, id, 'Drafts');
  await page.goto(`/zones/${id}`);
  await page.getByRole('button', { name: 'Actions for Drafts' }).click();
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  await page.request.delete(`/api/folders/${draftsId}`, { headers });
  await page.getByRole('menuitem', { name: 'Download' }).click();
  await expect(page.getByText('Download failed')).toBeVisible();
  await expect(page.getByText('Folder not found')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Studio' })).toBeVisible();
});
