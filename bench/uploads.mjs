import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { registerUser, startProduct } from './lib/product.mjs';
import { report } from './lib/report.mjs';

/**
 * `npm run bench:uploads`: 400 and 2,000 files of 3 kB selected at once in the built product's page, in Chromium with
 * rate limits on. Prints the time until all are stored, and the requests of the page. `npm run bench:uploads 400` runs
 * only that number.
 */
const counts = process.argv.slice(2).map(Number);
const SECONDS = 60;
const BYTES = 3000;
/** Timeout in milliseconds. */
const PATIENCE = 300_000;
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const lists = /^\/api\/zones\/\d+\/(?:files|folders|all-files)$/;

/** Counts the page's requests and the refused ones. */
function counting(page) {
  const seen = { all: 0, sending: 0, refused: 0, failed: 0, usage: 0, lists: 0 };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return;
    seen.all++;
    if (request.method() === 'POST' || request.method() === 'PATCH') seen.sending++;
    if (pathname === '/api/user/usage') seen.usage++;
    if (request.method() === 'GET' && lists.test(pathname)) seen.lists++;
  });
  page.on('response', (response) => {
    if (response.status() === 429) seen.refused++;
    else if (response.status() >= 400) seen.failed++;
  });
  return seen;
}

const filesOf = (count) =>
  Array.from({ length: count }, (_, at) => ({
    name: `note ${at + 1}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.alloc(BYTES, `note ${at + 1}\n`),
  }));

/** Uploads this many files through the page of a new user. */
async function send(browser, { url }, count) {
  const client = await registerUser(url, 'sender');
  const zone = await (await client.call('POST', '/api/zones', { name: 'Notes', type: 'private' })).json();
  const context = await browser.newContext({ locale: 'en-GB' });
  const [name, value] = client.cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/zones/${zone.id}`, { waitUntil: 'networkidle' });
  const seen = counting(page);
  const tray = page.getByRole('region', { name: 'Uploads' });
  const begun = performance.now();
  await page.locator('input[type=file]').first().setInputFiles(filesOf(count));
  const over = page.getByText(/Files uploaded successfully|files? (?:wasn’t|weren’t) uploaded/).first();
  await over.waitFor({ timeout: PATIENCE }).catch(async (error) => {
    throw new Error(`The tray still says: ${(await tray.textContent())?.slice(0, 200)}`, { cause: error });
  });
  const seconds = (performance.now() - begun) / 1000;
  await page.waitForLoadState('networkidle');
  const { fileCount } = await (await client.call('GET', `/api/zones/${zone.id}`)).json();
  await context.close();
  return { seconds, seen, fileCount };
}

async function measure(browser, count) {
  // Each run has its own product, so that they don't share rate limits.
  const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
  const product = await startProduct({ DATA_DIR: dataDir, RATE_LIMIT: 'on' });
  try {
    const { seconds, seen, fileCount } = await send(browser, product, count);
    const what = `${count} files of 3 kB`;
    report(`${what}: stored`, fileCount, count, '', 'more');
    report(`${what}: until all are stored`, seconds, SECONDS, 's');
    report('  requests', seen.all, null, '');
    report('  of these, requests that send', seen.sending, null, '');
    report('  refused with 429', seen.refused, 0, '');
    report('  refused otherwise', seen.failed, 0, '');
    report('  reads of the usage', seen.usage, null, '');
    report('  reads of lists of the folder', seen.lists, null, '');
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const count of counts.length > 0 ? counts : [400, 2000]) await measure(browser, count);
} finally {
  await browser.close();
}
