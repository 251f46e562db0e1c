import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { openDatabase } from './lib/database.mjs';
import { registerUser, startProduct } from './lib/product.mjs';
import { report } from './lib/report.mjs';

/**
 * `npm run bench:api -- [seconds]`: requests per second for an authenticated list of 50 rows with 16 connections, compared
 * with a baseline server: plain Node.js that checks the same session and returns the same rows through `pg`. Both alternate
 * within one run, so that they meet the same conditions.
 */
const CONNECTIONS = 16;
const ROUNDS = 3;
const durationSeconds = Number(process.argv[2] ?? 6);
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));

async function startBaselineServer(pool) {
  const { host, port, user, database, password } = pool.options;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'lib/baseline-server.mjs')], {
    env: { ...process.env, BENCH_DATABASE: JSON.stringify({ host, port, user, database, password }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(child.stdout, 'data');
  return { child, url: String(output).trim() };
}

async function measureRate(url, cookie, seconds = durationSeconds) {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers: { Cookie: cookie } });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} error statuses, ${result.errors} connection errors`);
  return result.requests.average;
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const digestOf = (text) => createHash('sha256').update(text).digest('hex');

let product;
let baseline;
let pool;
try {
  product = await startProduct({ DATA_DIR: dataDir });
  const owner = await registerUser(product.url, 'bench_api');
  pool = await openDatabase(dataDir);
  await pool.query(
    `with created_zones as (
       insert into zones (name, description, owner_id, type, created_at, updated_at)
       select 'Zone ' || n, 'A zone with some words on it', (select max(id) from users), 'private', now(), now()
       from generate_series(1, 50) n returning id, owner_id
     ), stats as (insert into zone_stats (zone_id) select id from created_zones)
     insert into zone_members (zone_id, user_id, email, role, created_at)
     select id, owner_id, 'bench_api@example.com', 'owner', now() from created_zones`,
  );
  await pool.query('vacuum analyze users, sessions, zones, zone_stats, zone_members');
  baseline = await startBaselineServer(pool);
  const path = '/api/zones?limit=50';
  const [productBody, baselineBody] = await Promise.all(
    [product.url, baseline.url].map(async (url) =>
      (await fetch(url + path, { headers: { Cookie: owner.cookie } })).text(),
    ),
  );
  if (JSON.parse(productBody).length !== 50 || digestOf(productBody) !== digestOf(baselineBody))
    throw new Error('The product and the baseline server return different responses.');
  const rates = { product: [], baseline: [] };
  for (const url of [product.url, baseline.url]) await measureRate(url + path, owner.cookie, 2);
  for (let round = 0; round < ROUNDS; round++) {
    rates.baseline.push(await measureRate(baseline.url + path, owner.cookie));
    rates.product.push(await measureRate(product.url + path, owner.cookie));
  }
  const [productRate, baselineRate] = [median(rates.product), median(rates.baseline)];
  console.log(
    `baseline (Node, pg) ${baselineRate.toFixed(0).padStart(7)} requests/s (${rates.baseline.map((r) => r.toFixed(0)).join(', ')})`,
  );
  console.log(
    `GET ${path} ${productRate.toFixed(0).padStart(7)} requests/s (${rates.product.map((r) => r.toFixed(0)).join(', ')})`,
  );
  report(
    'an authenticated list of 50 rows, share of the baseline',
    (productRate / baselineRate) * 100,
    50,
    '%',
    'more',
  );
} finally {
  baseline?.child.kill();
  await pool?.end();
  await product?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
