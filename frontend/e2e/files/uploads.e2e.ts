import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { CDPSession, Page, Request } from '@playwright/test';
import { expect, expectAccessible, saveScreenshot, makeUser, registerUser, test } from '../support/test.ts';
import type { Mailbox } from '../support/mailbox.ts';

const MB = 2 ** 20;
/** Bytes per second: files of this suite then take half a minute, longer than anything done meanwhile. */
const SLOW_BYTES_PER_SECOND = 400 * 1024;
const uploadsPanel = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const uploadRow = (page: Page, name: string) =>
  uploadsPanel(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const panelButton = (page: Page, name: string) => uploadsPanel(page).getByRole('button', { name, exact: true });
const chooseFiles = (page: Page, ...paths: string[]) =>
  page.locator('main input[type=file][multiple]').setInputFiles(paths);

const cdpSessions = new WeakMap<Page, CDPSession>();

/** Limits the upload speed, so that progress can be observed; null removes the limit. */
async function throttleUpload(page: Page, bytesPerSecond: number | null): Promise<void> {
  const session = cdpSessions.get(page) ?? (await page.context().newCDPSession(page));
  cdpSessions.set(page, session);
  const uploadThroughput = bytesPerSecond ?? -1;
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', conditions);
}

/** A signed-in user in the files of a new zone, with files on disk. */
async function openNewZone(page: Page, mailbox: Mailbox, ...sizes: number[]) {
  await registerUser(page, mailbox, makeUser());
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const response = await page.request.post('/api/zones', { headers, data: { name: 'Studio', type: 'private' } });
  const { id } = (await response.json()) as { id: number };
  await page.goto(`/zones/${id}`);
  await expect(page.getByText('No files yet')).toBeVisible();
  const files = sizes.map((size, index) => ({
    name: `Take ${index + 1}.bin`,
    path: test.info().outputPath(`Take ${index + 1}.bin`),
    bytes: randomBytes(size),
  }));
  for (const { path, bytes } of files) await writeFile(path, bytes);
  return { id, files };
}

/** Records the offsets at which upload requests started. */
function recordUploadOffsets(page: Page): number[] {
  const startOffsets: number[] = [];
  page.on('request', (request: Request) => {
    if (request.method() === 'PATCH') startOffsets.push(Number(request.headers()['upload-offset']));
  });
  return startOffsets;
}

/** Waits until part of a file, but not all, has been sent. */
async function waitForProgress(page: Page, name: string): Promise<void> {
  const progressBar = uploadsPanel(page).getByRole('progressbar', { name, exact: true });
  await expect.poll(async () => Number(await progressBar.getAttribute('aria-valuenow'))).toBeGreaterThan(1);
}

const listOpenUploads = async (page: Page) =>
  (await (await page.request.get('/api/uploads')).json()) as { received: number }[];

/** Checks that the stored file is identical, byte by byte, to the one on disk. */
async function expectStored(page: Page, zoneId: number, name: string, bytes: Buffer): Promise<void> {
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
  const storedFiles = (await (await page.request.get(`/api/zones/${zoneId}/files`)).json()) as {
    id: number;
    name: string;
  }[];
  const { id } = storedFiles.find((file) => file.name === name)!;
  const body = await (await page.request.get(`/api/files/${id}/download`)).body();
  expect(body.equals(bytes)).toBe(true);
  expect(await listOpenUploads(page)).toEqual([]);
}

test('a user’s upload resumes automatically after a lost connection', async ({ page, mailbox, pageErrors }) => {
  const { id, files } = await openNewZone(page, mailbox, 12 * MB);
  const [upload] = files;
  const startOffsets = recordUploadOffsets(page);
  await throttleUpload(page, SLOW_BYTES_PER_SECOND);
  await chooseFiles(page, upload!.path);
  await waitForProgress(page, upload!.name);
  await page.context().setOffline(true);
  await expect(uploadRow(page, upload!.name)).toContainText('Connection lost. Resuming automatically…');
  await expectAccessible(page);
  await saveScreenshot(page, 'offline.png');
  await page.context().setOffline(false);
  await throttleUpload(page, null);
  await expectStored(page, id, upload!.name, upload!.bytes);
  expect(startOffsets.length).toBeGreaterThan(1);
  expect(startOffsets[0]).toBe(0);
  expect(startOffsets.at(-1)).toBeGreaterThan(0);
  pageErrors.splice(0);
});

test('a user pauses and resumes one upload and all uploads', async ({ page, mailbox, pageErrors }) => {
  const { id, files } = await openNewZone(page, mailbox, 12 * MB, 12 * MB);
  const [first, second] = files;
  await throttleUpload(page, SLOW_BYTES_PER_SECOND);
  await chooseFiles(page, first!.path, second!.path);
  await panelButton(page, `Show the files of ${first!.name} and 1 more`).click();
  await waitForProgress(page, first!.name);
  await panelButton(page, `Pause upload of ${first!.name}`).click();
  await expect(uploadRow(page, first!.name)).toContainText('Paused at');
  await waitForProgress(page, second!.name);
  await panelButton(page, 'Pause All').click();
  await expect(uploadsPanel(page).getByRole('heading')).toHaveText('2 uploads are paused');
  await expectAccessible(page);
  await saveScreenshot(page, 'paused.png');
  await expect.poll(async () => (await listOpenUploads(page)).every(({ received }) => received > 0)).toBe(true);
  await throttleUpload(page, null);
  await panelButton(page, `Resume upload of ${first!.name}`).click();
  await expect(page.getByRole('button', { name: first!.name, exact: true })).toBeVisible();
  await panelButton(page, 'Resume All').click();
  await expectStored(page, id, second!.name, second!.bytes);
  await expectStored(page, id, first!.name, first!.bytes);
  pageErrors.splice(0);
});

test('a user resumes or discards uploads after a reload', async ({ page, mailbox, pageErrors }) => {
  const { id, files } = await openNewZone(page, mailbox, 12 * MB, 12 * MB);
  const [resumedFile, discardedFile] = files;
  await throttleUpload(page, SLOW_BYTES_PER_SECOND);
  await chooseFiles(page, resumedFile!.path, discardedFile!.path);
  await panelButton(page, `Show the files of ${resumedFile!.name} and 1 more`).click();
  await waitForProgress(page, resumedFile!.name);
  await waitForProgress(page, discardedFile!.name);
  page.once('dialog', (question) => void question.accept());
  await page.reload();
  await expect(uploadsPanel(page).getByRole('heading')).toHaveText('2 uploads were interrupted');
  await expect(uploadRow(page, resumedFile!.name)).toContainText('Choose the file again');
  await expectAccessible(page);
  await saveScreenshot(page, 'interrupted.png');

  await panelButton(page, `Discard upload of ${discardedFile!.name}`).click();
  await expect.poll(async () => (await listOpenUploads(page)).length).toBe(1);
  const fileInput = uploadsPanel(page).getByLabel(`Choose ${resumedFile!.name} again to resume`);
  await fileInput.and(page.locator('input')).setInputFiles(discardedFile!.path);
  await expect(page.getByText('Different File').first()).toBeVisible();

  const startOffsets = recordUploadOffsets(page);
  await throttleUpload(page, null);
  await fileInput.and(page.locator('input')).setInputFiles(resumedFile!.path);
  await expectStored(page, id, resumedFile!.name, resumedFile!.bytes);
  expect(startOffsets[0]).toBeGreaterThan(0);
  pageErrors.splice(0);
});

test('a user cancels an upload and nothing remains on the server', async ({ page, mailbox, pageErrors }) => {
  const { files } = await openNewZone(page, mailbox, 12 * MB);
  const [upload] = files;
  await throttleUpload(page, SLOW_BYTES_PER_SECOND);
  await chooseFiles(page, upload!.path);
  await waitForProgress(page, upload!.name);
  expect(await listOpenUploads(page)).toHaveLength(1);
  await panelButton(page, `Cancel upload of ${upload!.name}`).click();
  await expect(uploadsPanel(page)).toHaveCount(0);
  await expect.poll(async () => (await listOpenUploads(page)).length).toBe(0);
  await page.reload();
  await expect(page.getByText('No files yet')).toBeVisible();
  await expect(uploadsPanel(page)).toHaveCount(0);
  pageErrors.splice(0);
});
