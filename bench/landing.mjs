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
 * downloads. Prints figures with their limits. Use `RUNS=1` for a quick check.
 */
const RUNS = Number(process.env.RUNS ?? 5);
const SCRIPT_LIMIT = 150 * 1000;
const SCORE_LIMIT = 95;
const chrome = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function report(what, value, limit, holds, unit = '') {
  console.log(
    `${what.padEnd(44)} ${String(value).padStart(8)}${unit}   limit ${limit}${unit}   ${holds ? 'ok' : 'MISSED'}`,
  );
}

async function lighthouse(url, folder, run) {
  const file = join(folder, `${run}.json`);
  const args = [
    join(root, 'node_modules/lighthouse/cli/index.js'),
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${categories.join(',')}`,
    `--chrome-flags=--headless=new ${flags.join(' ')}`,
  ];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, CHROME_PATH: chrome } });
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Downloads of a browser with an empty cache: transferred bytes by type, and the scripts.
 * @param toTheEnd scrolls to the end and moves to a control there, which triggers hydration
 */
async function visit(url, toTheEnd) {
  const browser = await chromium.launch({ executablePath: chrome, args: flags });
  const page = await browser.newPage({ viewport: { width: 412, height: 823 } });
  const finished = [];
  page.on('requestfinished', (request) => finished.push(request.sizes().then((sizes) => ({ request, sizes }))));
  await page.goto(url, { waitUntil: 'networkidle' });
  if (toTheEnd) {
    await page.evaluate(() => {
      document.querySelector('#root').firstElementChild.setAttribute('data-drawn', '');
      scrollTo(0, document.body.scrollHeight);
    });
    await page.getByRole('contentinfo').getByRole('combobox').first().hover();
    // The hydrated page has replaced the server-rendered one.
    await page.locator('[data-drawn]').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
  }
  const kinds = new Map();
  for (const { request, sizes } of await Promise.all(finished)) {
    const { bytes = 0, urls = [] } = kinds.get(request.resourceType()) ?? {};
    const sum = { bytes: bytes + sizes.responseBodySize, urls: [...urls, request.url()] };
    kinds.set(request.resourceType(), sum);
  }
  await browser.close();
  return kinds;
}

/** Total size of scripts with gzip, whatever encoding the server chose. */
const gzipBytes = (urls) =>
  urls.reduce((sum, url) => sum + gzipSync(readFileSync(join(root, 'dist/frontend', new URL(url).pathname))).length, 0);

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
const product = await startProduct({ DATA_DIR: dataDir, ROLE: 'web' });
try {
  const sizes = await visit(product.url, false);
  for (const [kind, { bytes, urls }] of sizes) {
    console.log(`${kind.padEnd(12)} ${(bytes / 1000).toFixed(1).padStart(8)} kB on the wire, ${urls.length} requests`);
  }
  const first = gzipBytes(sizes.get('script')?.urls ?? []);
  report(
    'script of the landing page, gzip',
    (first / 1000).toFixed(1),
    SCRIPT_LIMIT / 1000,
    first < SCRIPT_LIMIT,
    ' kB',
  );
  const scripts = (await visit(product.url, true)).get('script').urls;
  console.log(`  with all that its use loads                 ${(gzipBytes(scripts) / 1000).toFixed(1).padStart(8)} kB`);
  const mui = scripts.filter((url) => /\/mui-/.test(url)).length;
  report('scripts of the component library in that', mui, 0, mui === 0);
  const reports = [];
  for (let run = 0; run < RUNS; run++) reports.push(await lighthouse(`${product.url}/`, dataDir, run));
  for (const category of categories) {
    const scores = reports.map((one) => Math.round(one.categories[category].score * 100));
    const middle = median(scores);
    report(`Lighthouse ${category} (of ${scores.join(', ')})`, middle, SCORE_LIMIT, middle >= SCORE_LIMIT);
  }
  for (const audit of [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ]) {
    const value = median(reports.map((one) => one.audits[audit].numericValue));
    console.log(`  ${audit.padEnd(42)} ${value.toFixed(audit.startsWith('cumulative') ? 3 : 0).padStart(8)}`);
  }
  const failed = new Set(
    reports.flatMap((one) =>
      Object.values(one.audits)
        .filter((a) => a.score !== null && a.score < 0.9 && a.scoreDisplayMode === 'binary')
        .map((a) => a.id),
    ),
  );
  if (failed.size > 0) console.log(`  failed audits: ${[...failed].join(', ')}`);
} finally {
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
