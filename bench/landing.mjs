import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { startProduct, root } from './lib/product.mjs';

/**
 * `npm run bench:landing`: the built product's landing page in Lighthouse (mobile, median of 5), and what a first visit
 * downloads. Prints figures with their limits. `RUNS=1` is a quick check.
 */
const RUNS = Number(process.env.RUNS ?? 5);
const SCRIPT_LIMIT = 150 * 1000;
const SCORE_LIMIT = 95;
const CHROMIUM_PATH = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function reportFigure(label, value, limit, isMet, unit = '') {
  console.log(
    `${label.padEnd(44)} ${String(value).padStart(8)}${unit}   limit ${limit}${unit}   ${isMet ? 'ok' : 'MISSED'}`,
  );
}

async function runLighthouse(url, folder, run) {
  const file = join(folder, `${run}.json`);
  const args = [
    join(root, 'node_modules/lighthouse/cli/index.js'),
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    `--chrome-flags=--headless=new ${CHROMIUM_FLAGS.join(' ')}`,
  ];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, CHROME_PATH: CHROMIUM_PATH } });
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Measures the downloads of a browser with an empty cache.
 * @param hydrates whether to scroll to the end and hover over a control there, which triggers hydration
 * @returns the transferred bytes and the URLs by resource type
 */
async function measureDownloads(url, hydrates) {
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS });
  const page = await browser.newPage({ viewport: { width: 412, height: 823 } });
  const finished = [];
  page.on('requestfinished', (request) => finished.push(request.sizes().then((sizes) => ({ request, sizes }))));
  await page.goto(url, { waitUntil: 'networkidle' });
  if (hydrates) {
    await page.evaluate(() => {
      document.querySelector('#root').firstElementChild.setAttribute('data-server-rendered', '');
      scrollTo(0, document.body.scrollHeight);
    });
    await page.getByRole('contentinfo').getByRole('combobox').first().hover();
    // The hydrated page has replaced the server-rendered one.
    await page.locator('[data-server-rendered]').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
  }
  const downloads = new Map();
  for (const { request, sizes } of await Promise.all(finished)) {
    const { bytes = 0, urls = [] } = downloads.get(request.resourceType()) ?? {};
    const total = { bytes: bytes + sizes.responseBodySize, urls: [...urls, request.url()] };
    downloads.set(request.resourceType(), total);
  }
  await browser.close();
  return downloads;
}

/** Returns the total size of scripts with gzip, regardless of the encoding that the server chose. */
const gzipBytes = (urls) =>
  urls.reduce(
    (total, url) => total + gzipSync(readFileSync(join(root, 'dist/frontend', new URL(url).pathname))).length,
    0,
  );

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
const product = await startProduct({ DATA_DIR: dataDir, ROLE: 'web' });
try {
  const sizes = await measureDownloads(product.url, false);
  for (const [resourceType, { bytes, urls }] of sizes) {
    console.log(
      `${resourceType.padEnd(12)} ${(bytes / 1000).toFixed(1).padStart(8)} kB transferred, ${urls.length} requests`,
    );
  }
  const firstScriptBytes = gzipBytes(sizes.get('script')?.urls ?? []);
  reportFigure(
    'script of the landing page, gzip',
    (firstScriptBytes / 1000).toFixed(1),
    SCRIPT_LIMIT / 1000,
    firstScriptBytes < SCRIPT_LIMIT,
    ' kB',
  );
  const scripts = (await measureDownloads(product.url, true)).get('script').urls;
  console.log(`  including the scripts loaded by hydration   ${(gzipBytes(scripts) / 1000).toFixed(1).padStart(8)} kB`);
  const mui = scripts.filter((url) => /\/mui-/.test(url)).length;
  reportFigure('  of these, scripts of the component library', mui, 0, mui === 0);
  const reports = [];
  for (let run = 0; run < RUNS; run++) reports.push(await runLighthouse(`${product.url}/`, dataDir, run));
  for (const category of CATEGORIES) {
    const scores = reports.map((result) => Math.round(result.categories[category].score * 100));
    const medianScore = median(scores);
    reportFigure(
      `Lighthouse ${category} (of ${scores.join(', ')})`,
      medianScore,
      SCORE_LIMIT,
      medianScore >= SCORE_LIMIT,
    );
  }
  for (const audit of [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ]) {
    const value = median(reports.map((result) => result.audits[audit].numericValue));
    console.log(`  ${audit.padEnd(42)} ${value.toFixed(audit.startsWith('cumulative') ? 3 : 0).padStart(8)}`);
  }
  const failed = new Set(
    reports.flatMap((result) =>
      Object.values(result.audits)
        .filter((audit) => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode === 'binary')
        .map((audit) => audit.id),
    ),
  );
  if (failed.size > 0) console.log(`  failed audits: ${[...failed].join(', ')}`);
} finally {
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
