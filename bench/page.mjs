import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { openDatabase } from './lib/database.mjs';
import { countMissed, report } from './lib/report.mjs';
import { registerUser, startProduct } from './lib/product.mjs';
import { measureColdVisit, measureWarmVisit } from './page/visits.mjs';
import {
  countRequestsOnClose,
  textFields,
  measureKeyPress,
  measureRename,
  measureScrolling,
  jumpToEnd,
} from './page/folder-actions.mjs';
import { measureFromLink, measureFromList, createLibrary } from './page/reader.mjs';
import { measureBuild, measureSource } from './page/source-size.mjs';

/**
 * `npm run bench:page -- [part]`: waiting times in the built product in Chromium. Loading is measured on Fast 3G (1.44 Mbit/s,
 * 562 ms round trip) with a CPU four times slower, actions in a folder of 10,000 files at full speed. Each figure is the
 * median of `RUNS` (5) visits with an empty cache, unless stated otherwise. Parts: join,
 * sign-in, zones, folder (loading), work (actions in a folder), keys, reading, size. Exits with 1 if a limit is missed.
 */
const RUNS = Number(process.env.RUNS ?? 5);
const FILE_COUNT = 10_000;
const PARTS = ['join', 'sign-in', 'zones', 'folder', 'work', 'keys', 'reading', 'size'];
const [requestedPart] = process.argv.slice(2);
if (requestedPart !== undefined && !PARTS.includes(requestedPart))
  throw new Error(`Unknown part: ${requestedPart}. The parts are ${PARTS.join(', ')}.`);
const isRequested = (part) => requestedPart === undefined || requestedPart === part;
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Creates a user with a zone whose folder contains many files, and another user's public zone. */
async function createTestData(url, dataDir) {
  const client = await registerUser(url, 'creator', { firstName: 'Deniz', lastName: 'Acar' });
  const teacher = await registerUser(url, 'teacher', { firstName: 'Ada', lastName: 'Demir' });
  const lessons = { name: 'Piano lessons', type: 'public', description: 'Sheet music and exercises for each lesson.' };
  const publicZone = await (await teacher.call('POST', '/api/zones', lessons)).json();
  const archiveZone = await (await client.call('POST', '/api/zones', { name: 'Archive', type: 'private' })).json();
  const folder = await (await client.call('POST', `/api/zones/${archiveZone.id}/folders`, { name: 'Scans' })).json();
  const db = await openDatabase(dataDir, 1);
  await db.query(
    `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, folder_id,
       allow_download, created_at, updated_at)
     select 'Scan ' || n || '.txt', 'scan ' || n || '.txt', 'text/plain', 4, repeat('0', 64),
       'files/00/' || lpad(n::text, 40, '0'), 'local', $1, $2, true, now(), now() from generate_series(1, $3::int) n`,
    [archiveZone.id, folder.id, FILE_COUNT],
  );
  await db.query('vacuum analyze files');
  await db.end();
  return {
    client,
    joinPath: `/join/${publicZone.publicLink}`,
    folderPath: `/zones/${archiveZone.id}/folders/${folder.id}`,
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Prints the medians of several visits. */
async function reportVisits(label, measureVisit, limits) {
  const results = [];
  for (let run = 0; run < RUNS; run++) results.push(await measureVisit());
  const medianOf = (name) => median(results.map((result) => result[name]));
  report(`${label}: main content visible`, medianOf('seconds'), limits.seconds, 's');
  report('  network idle', medianOf('idleSeconds'), null, 's');
  report('  requests until the content is visible', medianOf('requests'), limits.requests ?? null, '', 'less', 0);
  report('    of these, scripts', medianOf('scripts'), null, '');
  report('  transferred until the content is visible', medianOf('kilobytes'), limits.kilobytes ?? null, 'kB');
  report('  transferred in total', medianOf('allKilobytes'), null, 'kB');
  report('  largest layout shift', Math.max(...results.map(({ shift }) => shift)), 0.05, '', 'less', 3);
}

async function measure(browser, url, { client, joinPath, folderPath }) {
  const signedInUser = { browser, url, cookie: client.cookie };
  const visitor = { browser, url };
  const findZoneCard = (page) => page.getByRole('link', { name: 'Archive' }).first();
  const findFirstFile = (page) => page.getByText('Scan 1.txt', { exact: true }).first();
  const findZoneName = (page) => page.getByRole('heading', { name: 'Piano lessons' });
  const findEmailField = (page) => page.getByRole('textbox', { name: 'Email' }).first();
  if (isRequested('join'))
    await reportVisits('join page', () => measureColdVisit(visitor, joinPath, findZoneName), {
      seconds: 1.5,
      kilobytes: 60,
    });
  if (isRequested('sign-in'))
    await reportVisits('sign-in', () => measureColdVisit(visitor, '/auth', findEmailField), {
      seconds: 2.2,
      requests: 14,
      kilobytes: 20,
    });
  if (isRequested('zones')) {
    await reportVisits('zones', () => measureColdVisit(signedInUser, '/zones', findZoneCard), {
      seconds: 4,
      requests: 18,
      kilobytes: 400,
    });
    await reportVisits('zones, warm cache', () => measureWarmVisit(signedInUser, '/zones', findZoneCard), {
      seconds: 1,
    });
  }
  if (isRequested('folder'))
    await reportVisits('folder of 10,000', () => measureColdVisit(signedInUser, folderPath, findFirstFile), {
      seconds: 5,
    });
  if (isRequested('work')) await benchFolderActions(signedInUser, folderPath);
  if (isRequested('keys')) await benchKeyPresses(signedInUser, folderPath);
  if (isRequested('reading')) await benchReader({ browser, url });
  if (isRequested('size')) reportSize();
}

async function benchFolderActions(signedInUser, folderPath) {
  const rename = await measureRename(signedInUser, folderPath);
  report('rename in the folder: requests', rename.requests, 1, '');
  report('rename in the folder: until the new name is visible', rename.ms, 200, 'ms');
  report('return from a file to the folder: requests', await countRequestsOnClose(signedInUser, folderPath), null, '');
  report(
    'End key: number of the last visible file',
    await jumpToEnd(signedInUser, folderPath),
    FILE_COUNT,
    '',
    'more',
    0,
  );
  report(
    'scrolling in the folder: frame time, median',
    (await measureScrolling(signedInUser, folderPath)).ms,
    20,
    'ms',
  );
  const slowScrolling = (await measureScrolling(signedInUser, folderPath, 6)).ms;
  report('  with a CPU six times slower', slowScrolling, null, 'ms');
}

async function benchKeyPresses(signedInUser, folderPath) {
  for (const [label, goToField] of Object.entries(textFields)) {
    const longest = await measureKeyPress(signedInUser, (page) => goToField(page, { folderPath }));
    report(`slowest key press in ${label}`, longest, 100, 'ms');
  }
}

/** Measures a book of 300 pages: opening its first page from the list, and from a link on a phone. */
async function benchReader(visitor) {
  const { cookie, zonePath, joinPath } = await createLibrary(visitor.url);
  const devices = {
    desktop: [{ isPhone: false, isSlow: false }, 1],
    phone: [{ isPhone: true, isSlow: false }, 1],
    'phone, CPU four times slower': [{ isPhone: true, isSlow: true }, null],
  };
  for (const [deviceName, [options, limit]] of Object.entries(devices)) {
    const results = [];
    for (let run = 0; run < RUNS; run++) results.push(await measureFromList({ ...visitor, cookie }, zonePath, options));
    report(
      `first page of 300, from the list, ${deviceName}`,
      median(results.map(({ seconds }) => seconds)),
      limit,
      's',
      'less',
      2,
    );
    report('  transferred until then', median(results.map(({ kilobytes }) => kilobytes)), null, 'kB');
  }
  const timings = [];
  for (let run = 0; run < RUNS; run++)
    timings.push(await measureFromLink(visitor, joinPath, `member${run}@example.com`));
  for (const step of Object.keys(timings[0])) {
    report(`from a link, phone: ${step}`, median(timings.map((timing) => timing[step])), null, 's', 'less', 2);
  }
}

/** Reports the size of the web page: the built chunks, and the source. */
function reportSize() {
  const { chunks, small } = measureBuild();
  report('chunks of the built page', chunks, null, '', 'less', 0);
  report('  of these under 2 kB', small, null, '', 'less', 0);
  const { files, lines } = measureSource();
  report('files of frontend/src', files, null, '', 'less', 0);
  report('  lines, without the generated contract', lines, null, '', 'less', 0);
}

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
const product = await startProduct({ DATA_DIR: dataDir });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  await measure(browser, product.url, await createTestData(product.url, dataDir));
} finally {
  await browser.close();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
if (countMissed() > 0) process.exitCode = 1;
