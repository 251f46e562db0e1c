import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './lib/database.mjs';
import { registerUser, startProduct } from './lib/product.mjs';
import { report, measureMs } from './lib/report.mjs';
import { measureRollUps } from './lib/roll-up-timings.mjs';
import { AMOUNTS, fillActivityData } from './lib/activity-data.mjs';

/**
 * `npm run bench:insights -- [events]`: response times of dashboard and analytics with 10 million events, 100,000 users
 * and a zone of 100,000 members, for an owner of every fifth event and for an owner of ten events; and the duration of
 * the roll-up job that runs each minute.
 */
const LIMIT_MS = 50;
/** Repetitions of each request after the warm-up; the median is reported. */
const [ROUNDS, WARM_UP_ROUNDS] = [21, 3];
const eventCount = Number(process.argv[2] ?? 10_000_000);
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
const secondsSince = (since) => ((performance.now() - since) / 1000).toFixed(1);

async function idOf(client) {
  return (await (await client.call('GET', '/api/user')).json()).id;
}

/** Waits until the cron job has rolled up all records before `since`. */
async function waitForRollUp(pool, since) {
  for (;;) {
    const { rows } = await pool.query(`select through > $1 as done from roll_ups where name = 'activity'`, [since]);
    if (rows[0]?.done) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const createPaths = ({ zoneId, fileId, cursor }) => [
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

async function measure(label, client, ids) {
  for (const path of createPaths(ids)) {
    const durations = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const duration = await measureMs(async () => (await client.call('GET', path)).arrayBuffer());
      if (round >= 0) durations.push(duration);
    }
    durations.sort((a, b) => a - b);
    const name = path
      .replace(/cursor=.*/, 'cursor=(deep)')
      .replace(/\d{2,}(?=$|&|\/)/, (n) => (n.length > 2 ? ':id' : n));
    report(`${label} ${name}`, durations[Math.floor(ROUNDS / 2)], LIMIT_MS, 'ms');
  }
}

let product;
try {
  product = await startProduct({ DATA_DIR: dataDir });
  const [large, small] = [
    await registerUser(product.url, 'bench_large'),
    await registerUser(product.url, 'bench_small'),
  ];
  const smallZone = await (await small.call('POST', '/api/zones', { name: 'Small', type: 'private' })).json();
  const [ownerId, smallOwnerId] = [await idOf(large), await idOf(small)];
  await product.stop();

  product = await startProduct({ DATA_DIR: dataDir, ROLE: 'web' });
  let pool = await openDatabase(dataDir);
  let startedAt = performance.now();
  await pool.query(`update users set created_at = created_at - interval '1 year' where id = $1`, [ownerId]);
  await pool.query(`delete from platform_day`);
  await pool.query(`update roll_ups set through = 'epoch'`);
  const { zoneId, fileId } = await fillActivityData(pool, { ownerId, smallOwnerId, events: eventCount });
  await pool.query(
    `insert into zone_members (zone_id, user_id, email, role, created_at)
     select id, owner_id, 'bench_large@example.com', 'owner', now() from zones where owner_id = $1`,
    [ownerId],
  );
  const { rows } = await pool.query('select count(*)::int as events from activity');
  console.log(
    `${rows[0].events} events, ${AMOUNTS.users} users, ${AMOUNTS.members} members inserted in ${secondsSince(startedAt)} s`,
  );
  await pool.end();
  await product.stop();

  startedAt = performance.now();
  const rollUpStart = new Date(Date.now() - 60_000);
  product = await startProduct({ DATA_DIR: dataDir });
  pool = await openDatabase(dataDir);
  await waitForRollUp(pool, rollUpStart);
  console.log(`first roll-up of a year in ${secondsSince(startedAt)} s`);
  await pool.query('vacuum analyze zone_day, owner_day, platform_day');
  const deepCursor = [new Date(Date.now() - 90_000 * 60_000).toISOString(), 1];
  await pool.end();
  for (const client of [large, small]) client.url = product.url;
  const cursor = Buffer.from(JSON.stringify(deepCursor)).toString('base64url');
  await measure('ten events:', small, { zoneId: smallZone.id });
  await measure(`${eventCount / 1e6} M events:`, large, { zoneId, fileId, cursor });
  await product.stop();

  product = await startProduct({ DATA_DIR: dataDir, ROLE: 'web' });
  pool = await openDatabase(dataDir);
  await measureRollUps(dataDir, pool);
  await pool.end();
} finally {
  await product?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
