import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { openDatabase } from './lib/database.mjs';
import { report } from './lib/report.mjs';
import { registerUser, startProduct } from './lib/product.mjs';
import { cold, warm } from './page/visits.mjs';
import { closing, fields, keyPress, rename, scrolling, toTheEnd } from './page/folder-actions.mjs';
import { fromLink, fromList, library } from './page/reader.mjs';
import { built, written } from './page/source-size.mjs';

/**
 * `npm run bench:page`: waiting times in the built product in Chromium. Loading is measured on Fast 3G (1.44 Mbit/s,
 * 562 ms round trip) with a CPU four times slower, work in a folder of 10,000 files at full speed. Each figure is the
 * median of `RUNS` (5) visits with an empty cache, unless stated otherwise. `npm run bench:page join` runs only one
 * part: join, sign-in, zones, folder, work, keys, reading, size.
 */
const RUNS = Number(process.env.RUNS ?? 5);
const FILES = 10_000;
const parts = ['join', 'sign-in', 'zones', 'folder', 'work', 'keys', 'reading', 'size'];
const [only] = process.argv.slice(2);
if (only !== undefined && !parts.includes(only)) throw new Error(`What there is: ${parts.join(', ')}`);
const wants = (part) => only === undefined || only === part;
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** A user with a zone whose folder contains many files, and somebody else's public zone. */
async function fill(url, dataDir) {
  const client = await registerUser(url, 'creator', { firstName: 'Deniz', lastName: 'Acar' });
  const teacher = await registerUser(url, 'teacher', { firstName: 'Ada', lastName: 'Demir' });
  const lessons = { name: 'Piano lessons', type: 'public', description: 'Sheet music and exercises for each lesson.' };
  const open = await (await teacher.call('POST', '/api/zones', lessons)).json();
  const many = await (await client.call('POST', '/api/zones', { name: 'Archive', type: 'private' })).json();
  const folder = await (await client.call('POST', `/api/zones/${many.id}/folders`, { name: 'Scans' })).json();
  const db = await openDatabase(dataDir, 1);
  await db.query(
    `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, folder_id,
       allow_download, created_at, updated_at)
     select 'Scan ' || n || '.txt', 'scan ' || n || '.txt', 'text/plain', 4, repeat('0', 64),
       'files/00/' || lpad(n::text, 40, '0'), 'local', $1, $2, true, now(), now() from generate_series(1, $3::int) n`,
    [many.id, folder.id, FILES],
  );
  await db.query('vacuum analyze files');
  await db.end();
  return { client, joinPath: `/join/${open.publicLink}`, folderPath: `/zones/${many.id}/folders/${folder.id}` };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
/** Prints the medians of several visits. */
async function visits(what, visit, limits) {
  const all = [];
  for (let run = 0; run < RUNS; run++) all.push(await visit());
  const of = (name) => median(all.map((one) => one[name]));
  report(`${what}: what one came for is there`, of('seconds'), limits.seconds, 's');
  report('  until nothing is asked for any more', of('quiet'), null, 's');
  report('  requests until then', of('requests'), null, '');
  report('  of these, scripts', of('scripts'), null, '');
  report('  sent to the browser until then', of('kilobytes'), limits.kilobytes ?? null, 'kB');
  report('  sent in all', of('allKilobytes'), null, 'kB');
  report('  largest layout shift', Math.max(...all.map(({ shift }) => shift)), 0.05, '', 'less', 3);
}

async function measure(browser, url, { client, joinPath, folderPath }) {
  const somebody = { browser, url, cookie: client.cookie };
  const nobody = { browser, url };
  const zoneCard = (page) => page.getByRole('link', { name: 'Archive' }).first();
  const row = (page) => page.getByText('Scan 1.txt', { exact: true }).first();
  const name = (page) => page.getByRole('heading', { name: 'Piano lessons' });
  const email = (page) => page.getByRole('textbox', { name: 'Email' }).first();
  if (wants('join')) await visits('join page', () => cold(nobody, joinPath, name), { seconds: 1.5, kilobytes: 60 });
  if (wants('sign-in')) await visits('sign-in', () => cold(nobody, '/auth', email), { seconds: 3 });
  if (wants('zones')) {
    await visits('zones', () => cold(somebody, '/zones', zoneCard), { seconds: 4 });
    await visits('zones, once more', () => warm(somebody, '/zones', zoneCard), { seconds: 1 });
  }
  if (wants('folder')) await visits('folder of 10,000', () => cold(somebody, folderPath, row), { seconds: 5 });
  if (wants('work')) await work(somebody, folderPath);
  if (wants('keys')) await keys(somebody, folderPath);
  if (wants('reading')) await reading({ browser, url });
  if (wants('size')) size();
}

async function work(somebody, folderPath) {
  const renamed = await rename(somebody, folderPath);
  report('a rename in it: requests', renamed.requests, 1, '');
  report('a rename in it: until its new name is there', renamed.ms, 200, 'ms');
  report('coming back from a file of it: requests', await closing(somebody, folderPath), null, '');
  report('End leads to file', await toTheEnd(somebody, folderPath), FILES, '', 'more', 0);
  report('scrolling through it: a frame, median', (await scrolling(somebody, folderPath)).ms, 20, 'ms');
  const slow = (await scrolling(somebody, folderPath, 6)).ms;
  report('  with a processor six times slower', slow, null, 'ms');
}

async function keys(somebody, folderPath) {
  for (const [what, come] of Object.entries(fields)) {
    const longest = await keyPress(somebody, (page) => come(page, { folderPath }));
    report(`longest wait of a key press in ${what}`, longest, 100, 'ms');
  }
}

/** A book of 300 pages: opening its first page from the list, and the way from a link on a phone. */
async function reading(nobody) {
  const { cookie, zonePath, joinPath } = await library(nobody.url);
  const ways = {
    'in a window': [{ isPhone: false, isSlow: false }, 1],
    'on a phone': [{ isPhone: true, isSlow: false }, 1],
    'on a phone, processor four times slower': [{ isPhone: true, isSlow: true }, null],
  };
  for (const [where, [how, limit]] of Object.entries(ways)) {
    const all = [];
    for (let run = 0; run < RUNS; run++) all.push(await fromList({ ...nobody, cookie }, zonePath, how));
    report(
      `first page of 300, ${where}, after the list`,
      median(all.map(({ seconds }) => seconds)),
      limit,
      's',
      'less',
      2,
    );
    report('  sent to the browser until then', median(all.map(({ kilobytes }) => kilobytes)), null, 'kB');
  }
  const parts = [];
  for (let run = 0; run < RUNS; run++) parts.push(await fromLink(nobody, joinPath, `reader${run}@example.com`));
  for (const part of Object.keys(parts[0])) {
    report(`phone's way from a link: ${part}`, median(parts.map((one) => one[part])), null, 's', 'less', 2);
  }
}

/** Size of the page: what browsers download, and the source that developers read. */
function size() {
  const { chunks, small } = built();
  report('chunks of the built page', chunks, null, '', 'less', 0);
  report('  of these under 2 kB', small, null, '', 'less', 0);
  const { files, lines } = written();
  report('files of frontend/src', files, null, '', 'less', 0);
  report('  lines, without the generated contract', lines, null, '', 'less', 0);
}

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
const product = await startProduct({ DATA_DIR: dataDir });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  await measure(browser, product.url, await fill(product.url, dataDir));
} finally {
  await browser.close();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
