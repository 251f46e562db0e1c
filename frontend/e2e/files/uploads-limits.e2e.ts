import type { Page } from '@playwright/test';
import { Mailbox } from '../support/mailbox.ts';
import { startServer } from '../support/server.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, makeUser, test } from '../support/test.ts';
import { createUserWithZone } from '../support/zones.ts';

/** Selected at once, 3 kB each. */
const FILE_COUNT = 400;
/** Maximum number of upload requests: fifty files share one request. */
const MAX_REQUESTS = FILE_COUNT / 10;

const files = Array.from({ length: FILE_COUNT }, (_, index) => ({
  name: `note ${index + 1}.txt`,
  mimeType: 'text/plain',
  buffer: Buffer.alloc(3000, `note ${index + 1}\n`),
}));

async function countFiles(page: Page, zoneId: number, origin = ''): Promise<number> {
  const zone = (await (await page.request.get(`${origin}/api/zones/${zoneId}`)).json()) as { fileCount: number };
  return zone.fileCount;
}

test('a user sees one row that counts down and then retries with a single request', async ({ page, mailbox }) => {
  test.setTimeout(300_000);
  const id = await createUserWithZone(page, mailbox);
  await page.goto(`/zones/${id}`);
  await expect(page.getByText('No files yet')).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  let requestCount = 0;
  const responseGate = Promise.withResolvers<void>();
  await page.route(/\/api\/zones\/\d+\/files$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    requestCount++;
    const headers = { 'content-type': 'application/json', 'retry-after': '3' };
    const body = JSON.stringify({ statusCode: 429, code: 'TOO_MANY_REQUESTS', message: 'Too many requests.' });
    if (requestCount <= 3) return route.fulfill({ status: 429, headers, body });
    if (requestCount === 4) await responseGate.promise;
    return route.continue();
  });
  await page.locator('main input[type=file][multiple]').setInputFiles(files.slice(0, 150));
  const uploadsPanel = page.getByRole('region', { name: 'Uploads' });
  const uploadRow = uploadsPanel.getByRole('listitem');
  await expect(uploadRow).toHaveCount(1);
  await expect(uploadRow).toContainText('note 1.txt and 149 more');
  await expect(uploadRow).toContainText(/0 of 150 files · 0\.00 of 0\.43 MB/);
  await expect(uploadRow).toContainText(/Resuming in \d s\./);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await saveScreenshot(page, 'waiting-360.png');
  await expect.poll(() => requestCount).toBe(4);
  await expect(uploadRow).toContainText('Resuming automatically…');
  // The others wait for the first response.
  expect(requestCount).toBe(4);
  responseGate.resolve();
  // The panel goes once everything is stored and listed. A failed upload would stay in it.
  await expect(uploadsPanel).toHaveCount(0, { timeout: 120_000 });
  expect(await countFiles(page, id)).toBe(150);
  expect(requestCount).toBe(6);
});

test('a user uploads hundreds of small files under rate limits in few requests without failures', async ({ page }) => {
  test.setTimeout(300_000);
  const server = await startServer(() => Promise.resolve({ RATE_LIMIT: 'on' }));
  try {
    const mailbox = new Mailbox(() => server.dataDir);
    const user = makeUser();
    const post = (path: string, data: object) =>
      page.request.post(server.url + path, { headers: { origin: server.url }, data });
    expect((await post('/api/send-verification', { email: user.email })).status()).toBe(200);
    const verificationCode = await mailbox.waitForCode(user.email);
    expect((await post('/api/register', { ...user, verificationCode })).status()).toBe(201);
    const { id } = (await (await post('/api/zones', { name: 'Notes', type: 'private' })).json()) as { id: number };
    await page.goto(`${server.url}/zones/${id}`);
    await expect(page.getByText('No files yet')).toBeVisible();

    const failedResponses: string[] = [];
    let uploadRequestCount = 0;
    page.on('request', (request) => {
      if (/\/api\/(?:zones\/\d+\/files|uploads)/.test(request.url()) && request.method() !== 'GET')
        uploadRequestCount++;
    });
    page.on('response', (response) => {
      if (response.status() >= 400) failedResponses.push(`${response.status()} ${response.url()}`);
    });
    await page.locator('main input[type=file][multiple]').setInputFiles(files);
    await expect.poll(() => countFiles(page, id, server.url), { timeout: 60_000 }).toBe(FILE_COUNT);
    await expect(page.getByRole('region', { name: 'Uploads' })).toHaveCount(0);
    expect(failedResponses).toEqual([]);
    expect(uploadRequestCount).toBeLessThanOrEqual(MAX_REQUESTS);
  } finally {
    // Background requests of the page would fail without the server.
    await page.goto('about:blank');
    await server.stop();
  }
});
