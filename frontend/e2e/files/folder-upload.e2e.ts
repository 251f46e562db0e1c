import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, saveScreenshot, test } from '../support/test.ts';
import { createUserWithZone, folderLink } from '../support/zones.ts';

const uploadsPanel = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const toasts = (page: Page) => page.getByRole('status').or(page.getByRole('alert'));
const folderInput = (page: Page) => page.locator('main input[webkitdirectory]');

/** Writes files below the output folder of the test; a path that ends in a slash is an empty folder. */
async function writeTree(paths: Record<string, string>): Promise<string> {
  const root = test.info().outputPath('tree');
  for (const [path, content] of Object.entries(paths)) {
    const full = join(root, path);
    if (path.endsWith('/')) await mkdir(full, { recursive: true });
    else {
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content);
    }
  }
  return root;
}

/** Drops files or folders of the disk on the page as the operating system does. */
async function dropFromDisk(page: Page, ...files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 400, data });
  }
  await session.detach();
}

/** Files can be dropped once the zone is loaded. */
async function openEmptyZone(page: Page, zoneId: number): Promise<void> {
  await page.goto(`/zones/${zoneId}`);
  await expect(page.getByText('No files yet')).toBeVisible();
}

async function listTree(page: Page, zoneId: number): Promise<string[]> {
  const folders = (await (await page.request.get(`/api/zones/${zoneId}/folders?all=true&limit=1000`)).json()) as {
    id: number;
    name: string;
    parentId: number | null;
  }[];
  const pathOf = (id: number | null): string => {
    const folder = folders.find((one) => one.id === id);
    return folder ? `${pathOf(folder.parentId)}${folder.name}/` : '';
  };
  const paths = folders.map(({ id }) => pathOf(id));
  for (const { id } of folders) {
    const query = `folderId=${id}&limit=1000`;
    const files = (await (await page.request.get(`/api/zones/${zoneId}/files?${query}`)).json()) as { name: string }[];
    paths.push(...files.map(({ name }) => pathOf(id) + name));
  }
  return paths.sort();
}

test('a user drops a folder with empty folders, odd names and files that exist', async ({ page, mailbox }) => {
  const zoneId = await createUserWithZone(page, mailbox);
  await openEmptyZone(page, zoneId);
  const root = await writeTree({
    'Course/Empty/': '',
    'Course/.DS_Store': 'x',
    'Course/a.txt': 'first',
    'Course/Week 1/b.txt': 'b',
    'Course/Week 1/c\\d.txt': 'cd',
  });
  await dropFromDisk(page, join(root, 'Course'));
  const message = toasts(page).filter({ hasText: '1 name was changed because it can’t be stored' });
  await expect(message).toContainText('c\\d.txt → c-d.txt');
  await expect(folderLink(page, 'Course')).toBeVisible();
  const tree = ['Course/', 'Course/Empty/', 'Course/Week 1/', 'Course/Week 1/b.txt', 'Course/Week 1/c-d.txt'];
  await expect.poll(() => listTree(page, zoneId)).toEqual([...tree, 'Course/a.txt'].sort());

  await dropFromDisk(page, join(root, 'Course'));
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('3 files with these names are already here');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Rename & Upload' }).click();
  await expect
    .poll(() => listTree(page, zoneId))
    .toEqual(
      [...tree, 'Course/a.txt', 'Course/a (1).txt', 'Course/Week 1/b (1).txt', 'Course/Week 1/c-d (1).txt'].sort(),
    );
});

test('a user uploads a folder of 300 files and sees one row with its progress', async ({ page, mailbox }) => {
  const zoneId = await createUserWithZone(page, mailbox);
  await openEmptyZone(page, zoneId);
  const names = Array.from({ length: 300 }, (_, index) => `Big/Part ${index % 10}/file ${index}.txt`);
  const root = await writeTree(Object.fromEntries(names.map((name) => [name, name])));
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Upload Folder' })).toBeVisible();
  await expectAccessible(page);
  await saveScreenshot(page, 'upload-menu');
  await page.keyboard.press('Escape');
  await page.route(`**/api/zones/${zoneId}/files**`, async (route) => {
    if (route.request().method() === 'POST') await expect(uploadsPanel(page).getByText('Big')).toBeVisible();
    await route.continue();
  });
  await folderInput(page).setInputFiles(join(root, 'Big'));
  await expect(folderLink(page, 'Big')).toBeVisible();
  await expect(page.getByText('Files uploaded successfully')).toBeVisible();
  expect(await listTree(page, zoneId)).toHaveLength(311);
});

test('a user continues an interrupted folder after a reload', async ({ page, mailbox }) => {
  const zoneId = await createUserWithZone(page, mailbox);
  await openEmptyZone(page, zoneId);
  const root = await writeTree({ 'Talks/one.txt': '1', 'Talks/two/two.txt': '2', 'Talks/two/three.txt': '3' });
  // A single small file is sent by the upload protocol, two of them as a form, which gets no answer here.
  await page.route(`**/api/zones/${zoneId}/files**`, (route) =>
    route.request().method() === 'POST' ? undefined : route.continue(),
  );
  await folderInput(page).setInputFiles(join(root, 'Talks'));
  await expect(uploadsPanel(page)).toContainText('1 of 3 files');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(uploadsPanel(page)).toContainText('Interrupted. Choose the folder again.');
  // Earlier, this would continue the request that waits.
  await page.unroute(`**/api/zones/${zoneId}/files**`);
  await expectAccessible(page);
  await uploadsPanel(page)
    .locator('input[webkitdirectory]')
    .setInputFiles(join(root, 'Talks', 'two'));
  await expect(toasts(page).filter({ hasText: 'Please choose the folder “Talks”.' })).toBeVisible();
  await uploadsPanel(page).locator('input[webkitdirectory]').setInputFiles(join(root, 'Talks'));
  await expect
    .poll(() => listTree(page, zoneId))
    .toEqual(['Talks/', 'Talks/one.txt', 'Talks/two/', 'Talks/two/three.txt', 'Talks/two/two.txt']);
  await expect(uploadsPanel(page)).toHaveCount(0);
  await page.reload();
  await expect(folderLink(page, 'Talks')).toBeVisible();
  await expect(uploadsPanel(page)).toHaveCount(0);
});

test('a user learns why a folder can’t be uploaded', async ({ page, mailbox }) => {
  const zoneId = await createUserWithZone(page, mailbox);
  await openEmptyZone(page, zoneId);
  const root = await writeTree({ 'Deep/2/3/4/5/6/a.txt': 'a' });
  await dropFromDisk(page, join(root, 'Deep'));
  await expect(page.getByText('Folders can be at most 5 levels deep.')).toBeVisible();
  expect(await listTree(page, zoneId)).toEqual([]);
});
