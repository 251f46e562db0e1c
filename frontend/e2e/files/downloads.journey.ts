import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { png, text } from '../support/files.ts';
import { expect, expectAccessible, newPerson, register, test } from '../support/test.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { makeFolder, openStudio } from '../support/zones.ts';

const file = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });

/** Somebody signed in who stands in a new zone with a folder, a picture and a text. */
async function openZone(page: Page, mailbox: Mailbox): Promise<number> {
  await register(page, mailbox, newPerson());
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const zone = await page.request.post('/api/zones', { headers, data: { name: 'Studio', type: 'public' } });
  const { id } = (await zone.json()) as { id: number };
  await page.request.post(`/api/zones/${id}/folders`, { headers, data: { name: 'Drafts' } });
  await page.goto(`/zones/${id}`);
  await page.locator('input[type=file]').setInputFiles([text('Notes.txt', 'notes'), png('Cover.png')]);
  for (const name of ['Notes.txt', 'Cover.png']) await expect(file(page, name)).toBeVisible();
  return id;
}

/**
 * Takes the session away where only a download can notice it: what the page asks for by itself (the usage after an upload,
 * what changed in the list) is not answered any more. It would be refused too, and the way in would cover the menu.
 */
async function endSession(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    if (route.request().resourceType() === 'document') await route.fallback();
  });
  await page.context().clearCookies();
}

/** The names in an archive, by the list at its end. */
function namesIn(zip: Buffer): string[] {
  const names: string[] = [];
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let at = zip.readUInt32LE(end + 16); at < end;) {
    const length = zip.readUInt16LE(at + 28);
    names.push(zip.toString('utf8', at + 46, at + 46 + length));
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names.sort();
}

test('several things and a folder are downloaded as one archive, a file as itself', async ({ page, mailbox }) => {
  await openZone(page, mailbox);
  await file(page, 'Cover.png').click({ modifiers: ['Control'] });
  await page.keyboard.press('Control+a');
  await expect(bar(page)).toContainText('3 selected');
  await expectAccessible(page);
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    bar(page).getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(zip.suggestedFilename()).toBe('Studio.zip');
  expect(namesIn(await readFile(await zip.path()))).toEqual(['Cover.png', 'Drafts/', 'Notes.txt']);
  await bar(page).getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Actions for Drafts' }).click();
  const [folder] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download' }).click(),
  ]);
  expect(folder.suggestedFilename()).toBe('Drafts.zip');

  await file(page, 'Notes.txt').click({ modifiers: ['Control'] });
  const [single] = await Promise.all([
    page.waitForEvent('download'),
    bar(page).getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(single.suggestedFilename()).toBe('Notes.txt');
});

test('a download of somebody whose session has ended shows the way in, and saves no refusal', async ({
  page,
  mailbox,
}) => {
  const id = await openZone(page, mailbox);
  await expect(file(page, 'Notes.txt')).toBeVisible();
  const saved: string[] = [];
  page.on('download', (download) => saved.push(download.suggestedFilename()));
  await endSession(page);
  await page.getByRole('button', { name: 'Actions for Notes.txt' }).click();
  await page.getByRole('menuitem', { name: 'Download', exact: true }).click();
  await expect(page.getByText('Download failed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`/zones/${id}`);
  expect(saved).toEqual([]);
});

test('a list that is exported once the session has ended leads to the way in, by whatever click', async ({
  page,
  mailbox,
}) => {
  await openStudio(page, mailbox);
  await page.goto('/analytics');
  const link = page.getByRole('link', { name: 'Export zones (CSV)' });
  const [list] = await Promise.all([page.waitForEvent('download'), link.click({ modifiers: ['ControlOrMeta'] })]);
  expect(list.suggestedFilename()).toMatch(/\.csv$/);

  const saved: string[] = [];
  page.on('download', (download) => saved.push(download.suggestedFilename()));
  await endSession(page);
  await link.click({ button: 'middle' });
  await expect(page.getByText('Download failed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  expect(page.context().pages()).toHaveLength(1);
  expect(new URL(page.url()).pathname).toBe('/analytics');
  expect(saved).toEqual([]);
});

test('a refused archive is told in the page', async ({ page, mailbox }) => {
  const id = await openStudio(page, mailbox);
  const drafts = await makeFolder(page, id, 'Drafts');
  await page.goto(`/zones/${id}`);
  await page.getByRole('button', { name: 'Actions for Drafts' }).click();
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  await page.request.delete(`/api/folders/${drafts}`, { headers });
  await page.getByRole('menuitem', { name: 'Download' }).click();
  await expect(page.getByText('Download failed')).toBeVisible();
  await expect(page.getByText('Folder not found')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Studio' })).toBeVisible();
});
