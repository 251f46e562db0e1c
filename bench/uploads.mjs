import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { registerUser, startProduct } from './lib/product.mjs';
import { report } from './lib/report.mjs';

/**
 * `npm run bench:uploads -- [count …]`: 400 and 2,000 files of 3 kB selected at once in the built product's page, and a
 * folder of 2,000 files in 40 folders, in Chromium with rate limits on. Prints the time until all are stored, and the
 * requests of the page. Arguments replace the numbers of files.
 */
const counts = process.argv.slice(2).map(Number);
const LIMIT_SECONDS = 60;
const FILE_BYTES = 3000;
const FOLDER_COUNT = 40;
const TIMEOUT_MS = 300_000;
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const LIST_PATH = /^\/api\/zones\/\d+\/(?:files|folders|all-files)$/;

/** Counts the page's requests to the API, and the failed ones. */
function countRequests(page) {
  const totals = { all: 0, uploads: 0, rateLimited: 0, failed: 0, usage: 0, lists: 0 };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return;
    totals.all++;
    if (request.method() === 'POST' || request.method() === 'PATCH') totals.uploads++;
    if (pathname === '/api/user/usage') totals.usage++;
    if (request.method() === 'GET' && LIST_PATH.test(pathname)) totals.lists++;
  });
  page.on('response', (response) => {
    if (response.status() === 429) totals.rateLimited++;
    else if (response.status() >= 400) totals.failed++;
  });
  return totals;
}

const createFiles = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: `note ${index + 1}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.alloc(FILE_BYTES, `note ${index + 1}\n`),
  }));

/** Writes a folder with this many files in its folders; returns its path. */
function writeFolder(parent, count) {
  const root = join(parent, 'Notes');
  for (const [index, { name, buffer }] of createFiles(count).entries()) {
    const folder = join(root, `Part ${(index % FOLDER_COUNT) + 1}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), buffer);
  }
  return root;
}

const chooseFiles = (count) => (page) =>
  page.locator('input[type=file][multiple]').first().setInputFiles(createFiles(count));
const chooseFolder = (path) => (page) => page.locator('input[webkitdirectory]').first().setInputFiles(path);

/** Uploads files through the page of a new user, which chooses them with `choose`. */
async function uploadThroughPage(browser, { url }, choose) {
  const client = await registerUser(url, 'sender');
  const zone = await (await client.call('POST', '/api/zones', { name: 'Notes', type: 'private' })).json();
  const context = await browser.newContext({ locale: 'en-GB' });
  const [name, value] = client.cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/zones/${zone.id}`, { waitUntil: 'networkidle' });
  const totals = countRequests(page);
  const tray = page.getByRole('region', { name: 'Uploads' });
  const startedAt = performance.now();
  await choose(page);
  const finished = page.getByText(/Files uploaded successfully|files? (?:wasn’t|weren’t) uploaded/).first();
  await finished.waitFor({ timeout: TIMEOUT_MS }).catch(async (error) => {
    throw new Error(`The uploads did not finish. The tray shows: ${(await tray.textContent())?.slice(0, 200)}`, {
      cause: error,
    });
  });
  const seconds = (performance.now() - startedAt) / 1000;
  await page.waitForLoadState('networkidle');
  const { fileCount } = await (await client.call('GET', `/api/zones/${zone.id}`)).json();
  await context.close();
  return { seconds, totals, fileCount };
}

async function measure(browser, count, inFolders = false) {
  // Each run has its own product, so that they don't share rate limits.
  const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
  const product = await startProduct({ DATA_DIR: dataDir, RATE_LIMIT: 'on' });
  try {
    const choose = inFolders ? chooseFolder(writeFolder(join(dataDir, 'chosen'), count)) : chooseFiles(count);
    const { seconds, totals, fileCount } = await uploadThroughPage(browser, product, choose);
    const label = `${count} files of 3 kB${inFolders ? ` in ${FOLDER_COUNT} folders` : ''}`;
    report(`${label}: stored`, fileCount, count, '', 'more');
    report(`${label}: until all are stored`, seconds, LIMIT_SECONDS, 's');
    report('  requests', totals.all, null, '');
    report('    of these, uploads (POST or PATCH)', totals.uploads, null, '');
    report('  rejected with 429', totals.rateLimited, 0, '');
    report('  failed with other statuses', totals.failed, 0, '');
    report('  requests for the usage', totals.usage, null, '');
    report('  requests for lists of the folder', totals.lists, null, '');
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const count of counts.length > 0 ? counts : [400, 2000]) await measure(browser, count);
  await measure(browser, counts.at(-1) ?? 2000, true);
} finally {
  await browser.close();
}
