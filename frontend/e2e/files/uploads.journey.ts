import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { CDPSession, Page, Request } from '@playwright/test';
import { expect, expectAccessible, keepPicture, newPerson, register, test } from '../support/test.ts';
import type { Mailbox } from '../support/mailbox.ts';

const MB = 2 ** 20;
/** Bytes a second: files of this suite then take half a minute, longer than anything that is done meanwhile. */
const slow = 400 * 1024;
const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const row = (page: Page, name: string) =>
  tray(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const button = (page: Page, name: string) => tray(page).getByRole('button', { name, exact: true });
const choose = (page: Page, ...paths: string[]) => page.locator('main input[type=file]').setInputFiles(paths);

const sessions = new WeakMap<Page, CDPSession>();

/** A slow line, so that there is something to see while a file is on its way; null is as fast as it goes. */
async function line(page: Page, bytesPerSecond: number | null): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const uploadThroughput = bytesPerSecond ?? -1;
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', conditions);
}

/** Somebody signed in who stands in the files of a new zone of theirs, with files on their disk. */
async function openNewZone(page: Page, mailbox: Mailbox, ...sizes: number[]) {
  await register(page, mailbox, newPerson());
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const made = await page.request.post('/api/zones', { headers, data: { name: 'Studio', type: 'private' } });
  const { id } = (await made.json()) as { id: number };
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

/** The offsets from which bytes were sent. */
function offsets(page: Page): number[] {
  const sent: number[] = [];
  page.on('request', (request: Request) => {
    if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']));
  });
  return sent;
}

/** Waits until some, but not all, of a file has been sent. */
async function underWay(page: Page, name: string): Promise<void> {
  const bar = tray(page).getByRole('progressbar', { name, exact: true });
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(1);
}

const open = async (page: Page) => (await (await page.request.get('/api/uploads')).json()) as { received: number }[];

/** What the server has under a name is, byte for byte, what was on the disk. */
async function expectStored(page: Page, zoneId: number, name: string, bytes: Buffer): Promise<void> {
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
  const list = (await (await page.request.get(`/api/zones/${zoneId}/files`)).json()) as { id: number; name: string }[];
  const { id } = list.find((file) => file.name === name)!;
  const body = await (await page.request.get(`/api/files/${id}/download`)).body();
  expect(body.equals(bytes)).toBe(true);
  expect(await open(page)).toEqual([]);
}

test('an upload survives a lost connection, and goes on by itself', async ({ page, mailbox, complaints }) => {
  const { id, files } = await openNewZone(page, mailbox, 12 * MB);
  const [take] = files;
  const sent = offsets(page);
  await line(page, slow);
  await choose(page, take!.path);
  await underWay(page, take!.name);
  await page.context().setOffline(true);
  await expect(row(page, take!.name)).toContainText('Connection lost. Resuming automatically…');
  await expectAccessible(page);
  await keepPicture(page, 'offline.png');
  await page.context().setOffline(false);
  await line(page, null);
  await expectStored(page, id, take!.name, take!.bytes);
  expect(sent.length).toBeGreaterThan(1);
  expect(sent[0]).toBe(0);
  expect(sent.at(-1)).toBeGreaterThan(0);
  complaints.splice(0);
});

test('uploads are paused and resumed, one and all', async ({ page, mailbox, complaints }) => {
  const { id, files } = await openNewZone(page, mailbox, 12 * MB, 12 * MB);
  const [first, second] = files;
  await line(page, slow);
  await choose(page, first!.path, second!.path);
  await button(page, `Show the files of ${first!.name} and 1 more`).click();
  await underWay(page, first!.name);
  await button(page, `Pause upload of ${first!.name}`).click();
  await expect(row(page, first!.name)).toContainText('Paused at');
  await underWay(page, second!.name);
  await button(page, 'Pause all').click();
  await expect(tray(page).getByRole('heading')).toHaveText('2 uploads are paused');
  await expectAccessible(page);
  await keepPicture(page, 'paused.png');
  await expect.poll(async () => (await open(page)).every(({ received }) => received > 0)).toBe(true);
  await line(page, null);
  await button(page, `Resume upload of ${first!.name}`).click();
  await expect(page.getByRole('button', { name: first!.name, exact: true })).toBeVisible();
  await button(page, 'Resume all').click();
  await expectStored(page, id, second!.name, second!.bytes);
  await expectStored(page, id, first!.name, first!.bytes);
  complaints.splice(0);
});

test('uploads are taken up after a reload, or given back', async ({ page, mailbox, complaints }) => {
  const { id, files } = await openNewZone(page, mailbox, 12 * MB, 12 * MB);
  const [kept, left] = files;
  await line(page, slow);
  await choose(page, kept!.path, left!.path);
  await button(page, `Show the files of ${kept!.name} and 1 more`).click();
  await underWay(page, kept!.name);
  await underWay(page, left!.name);
  page.once('dialog', (question) => void question.accept());
  await page.reload();
  await expect(tray(page).getByRole('heading')).toHaveText('2 uploads were interrupted');
  await expect(row(page, kept!.name)).toContainText('Choose the file again');
  await expectAccessible(page);
  await keepPicture(page, 'interrupted.png');

  await button(page, `Discard upload of ${left!.name}`).click();
  await expect.poll(async () => (await open(page)).length).toBe(1);
  const again = tray(page).getByLabel(`Choose ${kept!.name} again to resume`);
  await again.and(page.locator('input')).setInputFiles(left!.path);
  await expect(page.getByText('Different File').first()).toBeVisible();

  const sent = offsets(page);
  await line(page, null);
  await again.and(page.locator('input')).setInputFiles(kept!.path);
  await expectStored(page, id, kept!.name, kept!.bytes);
  expect(sent[0]).toBeGreaterThan(0);
  complaints.splice(0);
});

test('a cancelled upload leaves nothing on the server', async ({ page, mailbox, complaints }) => {
  const { files } = await openNewZone(page, mailbox, 12 * MB);
  const [take] = files;
  await line(page, slow);
  await choose(page, take!.path);
  await underWay(page, take!.name);
  expect(await open(page)).toHaveLength(1);
  await button(page, `Cancel upload of ${take!.name}`).click();
  await expect(tray(page)).toHaveCount(0);
  await expect.poll(async () => (await open(page)).length).toBe(0);
  await page.reload();
  await expect(page.getByText('No files yet')).toBeVisible();
  await expect(tray(page)).toHaveCount(0);
  complaints.splice(0);
});
