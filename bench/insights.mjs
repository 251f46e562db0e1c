import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './lib/database.mjs';
import { registerUser, startProduct } from './lib/product.mjs';
import { report, measureMs } from './lib/report.mjs';
import { measureRollUps } from './lib/roll-up-timings.mjs';
import { amounts, fill } from './lib/activity-data.mjs';

/**
 * `npm run bench:insights [events]`: response times of dashboard and analytics with 10 million events, 100,000 users
 * and a zone of 100,000 members, for an owner of every fifth event and for an owner of ten events; and the duration of
 * the roll-up job that runs each minute.
 */
const LIMIT = 50;
/** Repetitions of each request after the warm-up; the median is reported. */
const [ROUNDS, WARM] = [21, 3];
const events = Number(process.argv[2] ?? 10_000_000);
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);

async function idOf(client) {
  return (await (await client.call('GET', '/api/user')).json()).id;
}

/** Waits until the cron job has rolled up everything. */
async function rolledUp(pool, since) {
  for (;;) {
    const { rows } = await pool.query(`select through > $1 as done from roll_ups where name = 'activity'`, [since]);
    if (rows[0]?.done) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const pathsOf = ({ zoneId, fileId, cursor }) => [
  '/api/dashboard/stats',
  '/api/dashboard/activity',
  '/api/dashboard/attention',
  '/api/analytics/series?range=7',
  '/api/analytics/series?range=30',
  '/api/analytics/series?range=90',
  '/api/analytics/series?range=all',
  `/api/analytics/series?range=90&zoneId=${zoneId}`,
  '/api/analytics/zones?range=30',
  '/api/analytics/zones?range=all',
  ...(fileId
    ? [`/api/files/${fileId}/openings?limit=50`, `/api/files/${fileId}/openings?limit=50&cursor=${cursor}`]
    : []),
];

async function measure(who, client, places) {
  for (const path of pathsOf(places)) {
    const times = [];
    for (let round = -WARM; round < ROUNDS; round++) {
      const time = await measureMs(async () => (await client.call('GET', path)).arrayBuffer());
      if (round >= 0) times.push(time);
    }
    times.sort((a, b) => a - b);
    const name = path
      .replace(/cursor=.*/, 'cursor=(deep)')
      .replace(/\d{2,}(?=$|&|\/)/, (n) => (n.length > 2 ? ':id' : n));
    report(`${who} ${name}`, times[Math.floor(ROUNDS / 2)], LIMIT, 'ms');
  }
}

let product;
try {
  product = await startProduct({ DATA_DIR: dataDir });
  const [large, small] = [await registerUser(product.url, 'bench_large'), await registerUser(product.url, 'bench_small')];
  const smallZone = await (await small.call('POST', '/api/zones', { name: 'Small', type: 'private' })).json();
  const [ownerId, smallOwnerId] = [await idOf(large), await idOf(small)];
  await product.stop();

  product = await startProduct({ DATA_DIR: dataDir, ROLE: 'web' });
  let pool = await openDatabase(dataDir);
  let begun = performance.now();
  await pool.query(`update users set created_at = created_at - interval '1 year' where id = $1`, [ownerId]);
  await pool.query(`delete from platform_day`);
  await pool.query(`update roll_ups set through = 'epoch'`);
  const { zoneId, fileId } = await fill(pool, { ownerId, smallOwnerId, events });
  await pool.query(
    `insert into zone_members (zone_id, user_id, email, role, created_at)
     select id, owner_id, 'bench_large@example.com', 'owner', now() from zones where owner_id = $1`,
    [ownerId],
  );
  const { rows } = await pool.query('select count(*)::int as events from activity');
  console.log(
    `${rows[0].events} events, ${amounts.users} users, ${amounts.members} members: made in ${seconds(begun)} s`,
  );
  await pool.end();
  await product.stop();

  begun = performance.now();
  const started = new Date(Date.now() - 60_000);
  product = await startProduct({ DATA_DIR: dataDir });
  pool = await openDatabase(dataDir);
  await rolledUp(pool, started);
  console.log(`a year added up for the first time in ${seconds(begun)} s`);
  await pool.query('vacuum analyze zone_day, owner_day, platform_day');
  const deep = [new Date(Date.now() - 90_000 * 60_000).toISOString(), 1];
  await pool.end();
  for (const client of [large, small]) client.url = product.url;
  const cursor = Buffer.from(JSON.stringify(deep)).toString('base64url');
  await measure('ten events:', small, { zoneId: smallZone.id });
  await measure(`${events / 1e6} M events:`, large, { zoneId, fileId, cursor });
  await product.stop();

  product = await startProduct({ DATA_DIR: dataDir, ROLE: 'web' });
  pool = await openDatabase(dataDir);
  await measureRollUps(dataDir, pool);
  await pool.end();
} finally {
  await product?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
