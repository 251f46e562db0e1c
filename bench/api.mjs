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
 * `npm run bench:api [seconds]`: requests per second for an authenticated list of 50 rows with 16 connections, compared
 * with a bare Node server that checks the same session and returns the same rows through `pg`. Both alternate within
 * one run, so that they meet the same conditions.
 */
const CONNECTIONS = 16;
const ROUNDS = 3;
const duration = Number(process.argv[2] ?? 6);
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));

async function startBare(pool) {
  const { host, port, user, database, password } = pool.options;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'lib/baseline-server.mjs')], {
    env: { ...process.env, BENCH_DATABASE: JSON.stringify({ host, port, user, database, password }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { child, url: String(line).trim() };
}

async function rate(url, cookie, seconds = duration) {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers: { Cookie: cookie } });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} broken`);
  return result.requests.average;
}

const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const shape = (text) => createHash('sha256').update(text).digest('hex');

let product;
let bare;
let pool;
try {
  product = await startProduct({ DATA_DIR: dataDir });
  const owner = await registerUser(product.url, 'bench_api');
  pool = await openDatabase(dataDir);
  await pool.query(
    `with made as (
       insert into zones (name, description, owner_id, type, created_at, updated_at)
       select 'Zone ' || n, 'A zone with some words on it', (select max(id) from users), 'private', now(), now()
       from generate_series(1, 50) n returning id, owner_id
     ), counted as (insert into zone_stats (zone_id) select id from made)
     insert into zone_members (zone_id, user_id, email, role, created_at)
     select id, owner_id, 'bench_api@example.com', 'owner', now() from made`,
  );
  await pool.query('vacuum analyze users, sessions, zones, zone_stats, zone_members');
  bare = await startBare(pool);
  const path = '/api/zones?limit=50';
  const [ours, theirs] = await Promise.all(
    [product.url, bare.url].map(async (url) => (await fetch(url + path, { headers: { Cookie: owner.cookie } })).text()),
  );
  if (JSON.parse(ours).length !== 50 || shape(ours) !== shape(theirs))
    throw new Error('The two do not answer the same.');
  const rates = { product: [], bare: [] };
  for (const url of [product.url, bare.url]) await rate(url + path, owner.cookie, 2);
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await rate(bare.url + path, owner.cookie));
    rates.product.push(await rate(product.url + path, owner.cookie));
  }
  const [own, least] = [middle(rates.product), middle(rates.bare)];
  console.log(
    `bare Node and pg   ${least.toFixed(0).padStart(7)} requests/s (${rates.bare.map((r) => r.toFixed(0)).join(', ')})`,
  );
  console.log(
    `GET ${path}  ${own.toFixed(0).padStart(7)} requests/s (${rates.product.map((r) => r.toFixed(0)).join(', ')})`,
  );
  report('an authenticated list of 50 rows, of the bare server', (own / least) * 100, 50, '%', 'more');
} finally {
  bare?.child.kill();
  await pool?.end();
  await product?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
