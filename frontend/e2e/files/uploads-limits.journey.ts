import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mailbox } from '../support/mailbox.ts';
import { startProduct } from '../support/server.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newPerson, test } from '../support/test.ts';
import { openStudio } from '../support/zones.ts';

/** Chosen at once, 3 kB each. */
const COUNT = 400;
/** Of the requests that send, how many there may be: fifty files go together. */
const MOST = COUNT / 10;

const files = Array.from({ length: COUNT }, (_, at) => ({
  name: `note ${at + 1}.txt`,
  mimeType: 'text/plain',
  buffer: Buffer.alloc(3000, `note ${at + 1}\n`),
}));

test('a drop is one row that counts down while the server rests, which is then asked by one request', async ({
  page,
  mailbox,
}) => {
  test.setTimeout(300_000);
  const id = await openStudio(page, mailbox);
  await page.goto(`/zones/${id}`);
  await expect(page.getByText('No files yet')).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  let asked = 0;
  const answer = Promise.withResolvers<void>();
  await page.route(/\/api\/zones\/\d+\/files$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    asked++;
    const headers = { 'content-type': 'application/json', 'retry-after': '3' };
    const body = JSON.stringify({ statusCode: 429, code: 'TOO_MANY_REQUESTS', message: 'Too many requests.' });
    if (asked <= 3) return route.fulfill({ status: 429, headers, body });
    if (asked === 4) await answer.promise;
    return route.continue();
  });
  await page.locator('main input[type=file]').setInputFiles(files.slice(0, 150));
  const tray = page.getByRole('region', { name: 'Uploads' });
  const row = tray.getByRole('listitem');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('note 1.txt and 149 more');
  await expect(row).toContainText(/0 of 150 files · 0\.00 of 0\.43 MB/);
  await expect(row).toContainText(/Resuming in \d s\./);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await keepPicture(page, 'waiting-360.png');
  await expect.poll(() => asked).toBe(4);
  await expect(row).toContainText('Resuming automatically…');
  // The others wait for the answer to that one.
  expect(asked).toBe(4);
  answer.resolve();
  await expect(page.getByText('Files uploaded successfully').first()).toBeVisible({ timeout: 120_000 });
  expect(asked).toBe(6);
});

test('hundreds of small files arrive with the limits of rate on, in few requests and without one that failed', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const product = await startProduct(() => Promise.resolve({ RATE_LIMIT: 'on' }));
  try {
    const key = () => readFileSync(join(product.dataDir, 'mailbox-key'), 'utf8').trim();
    const mailbox = new Mailbox(page.request, () => `${product.url}/dev/mailbox.json?key=${key()}`);
    const person = newPerson();
    const post = (path: string, data: object) =>
      page.request.post(product.url + path, { headers: { origin: product.url }, data });
    expect((await post('/api/send-verification', { email: person.email })).status()).toBe(200);
    const verificationCode = await mailbox.code(person.email);
    expect((await post('/api/register', { ...person, verificationCode })).status()).toBe(201);
    const { id } = (await (await post('/api/zones', { name: 'Notes', type: 'private' })).json()) as { id: number };
    await page.goto(`${product.url}/zones/${id}`);
    await expect(page.getByText('No files yet')).toBeVisible();

    const refused: string[] = [];
    let sending = 0;
    page.on('request', (request) => {
      if (/\/api\/(?:zones\/\d+\/files|uploads)/.test(request.url()) && request.method() !== 'GET') sending++;
    });
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await page.locator('main input[type=file]').setInputFiles(files);
    await expect(page.getByText('Files uploaded successfully').first()).toBeVisible({ timeout: 60_000 });
    expect(refused).toEqual([]);
    expect(sending).toBeLessThanOrEqual(MOST);
    const zone = (await (await page.request.get(`${product.url}/api/zones/${id}`)).json()) as { fileCount: number };
    expect(zone.fileCount).toBe(COUNT);
  } finally {
    // What the page asks for by itself would find no server any more.
    await page.goto('about:blank');
    await product.stop();
  }
});
