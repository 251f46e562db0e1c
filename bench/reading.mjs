import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAppContext } from './lib/app-context.mjs';
import { openDatabase } from './lib/database.mjs';
import { registerUser, startProduct } from './lib/product.mjs';
import { fillReadingData } from './lib/reading-data.mjs';
import { measureMs, report } from './lib/report.mjs';

/**
 * `npm run bench:reading -- [reads]`: response times of the figures of a file with 100,000 readers, among 10 million
 * page reads; and the duration of the roll-up job that runs each minute.
 */
const LIMIT_MS = 100;
/** Repetitions after the warm-up; the median is reported. */
const [ROUNDS, WARM_UP_ROUNDS] = [21, 3];
const readCount = Number(process.argv[2] ?? 10_000_000);
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));

async function medianOf(work, prepare = () => undefined) {
  const durations = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    await prepare();
    const duration = await measureMs(work);
    if (round >= 0) durations.push(duration);
  }
  return durations.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

/** Measures the job that runs each minute. The product must have no worker, because two roll-ups wait for each other. */
async function measureRollUp(pool, fileId) {
  const appContext = await openAppContext(dataDir);
  try {
    const rollUps = await appContext.getService(
      'modules/insights/reading/reading-roll-up.service.js',
      'ReadingRollUpService',
    );
    const insertReads = () =>
      pool.query(
        `insert into page_reads (created_at, file_id, version, user_id, page, ms, is_first)
         select now(), $1::bigint + n, 1, (select min(id) from users), 1, 8000, false from generate_series(0, 49) n`,
        [fileId],
      );
    const duration = await medianOf(() => rollUps.rollUp(), insertReads);
    report('roll-up of a minute with 50 reads in 50 files, median', duration, LIMIT_MS, 'ms');
  } finally {
    await appContext.close();
  }
}

let product;
try {
  product = await startProduct({ DATA_DIR: dataDir });
  const owner = await registerUser(product.url, 'bench_owner');
  const zone = await (await owner.call('POST', '/api/zones', { name: 'Reading', type: 'private' })).json();
  await product.stop();

  product = await startProduct({ DATA_DIR: dataDir, ROLE: 'web' });
  owner.url = product.url;
  const pool = await openDatabase(dataDir);
  const seconds = (await measureMs(() => fillReadingData(pool, { zoneId: zone.id, reads: readCount }))) / 1000;
  console.log(`${readCount} page reads inserted in ${seconds.toFixed(1)} s`);
  const { rows } = await pool.query('select min(id) as id from files');
  const fileId = Number(rows[0].id);
  const deep = JSON.stringify([new Date(Date.now() - 90_000 * 60_000).toISOString(), 1]);
  const paths = {
    figures: `/api/files/${fileId}/reading`,
    'first page of the readers': `/api/files/${fileId}/reading/readers?limit=50`,
    'deep page of the readers': `/api/files/${fileId}/reading/readers?limit=50&cursor=${Buffer.from(deep).toString('base64url')}`,
    'files compared, of a month': '/api/analytics/files?range=30',
    'files compared, of a zone': `/api/analytics/files?range=all&zoneId=${zone.id}`,
    'own reading': `/api/files/${fileId}/reading/mine`,
  };
  for (const [name, path] of Object.entries(paths)) {
    const duration = await medianOf(async () => (await owner.call('GET', path)).arrayBuffer());
    report(name, duration, LIMIT_MS, 'ms');
  }
  await measureRollUp(pool, fileId);
  await pool.end();
} finally {
  await product?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
