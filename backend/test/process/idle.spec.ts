import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { SECOND } from '../../src/platform/clock/clock.js';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { DatabaseProxy } from '../support/fakes/database-proxy.js';
import { describeWithRedis, RedisServer } from '../support/fakes/redis-server.js';
import { ServerProcess } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { baseUrl } from '../support/world.js';

/** How long statements are counted, in milliseconds, and how many an idle worker may send: two a second. */
const SPAN = 5 * SECOND;
const MAX_COUNT = 10;
/** How long to wait for such a span, in milliseconds. */
const PATIENCE = 50 * SECOND;

/** A slow machine sends fewer statements, not more. The jobs of the start and of each minute only delay the result. */
(baseUrl ? describe.skip : describeWithRedis)('An idle worker', () => {
  let database: TestDatabase;
  let dataDir: string;
  let redis: RedisServer;
  const proxies: DatabaseProxy[] = [];
  const workers: ServerProcess[] = [];

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), RedisServer.start()]);
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-idle-'));
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await Promise.all([database.drop(), redis.close(), rm(dataDir, { recursive: true, force: true })]);
  });

  /** Starts a worker and waits for a span with few statements. Returns the least number of statements in a span. */
  async function countStatements(env: Record<string, string>): Promise<number> {
    const proxy = await DatabaseProxy.open(database.connection);
    proxies.push(proxy);
    const DATABASE_URL = connectionToUrl(proxy.connection);
    const APP_SECRET = 'a secret that is long enough for it';
    const worker = ServerProcess.start({ DATABASE_URL, DATA_DIR: dataDir, APP_SECRET, ROLE: 'worker', ...env });
    workers.push(worker);
    await worker.waitForOutput(/The worker of Zonary is ready/);
    const readyAt = performance.now();
    let count = Infinity;
    for (let now = readyAt; count > MAX_COUNT && now < readyAt + PATIENCE; now = performance.now()) {
      await setTimeout(50);
      if (now >= readyAt + SPAN) count = Math.min(count, proxy.countStatements(now - SPAN));
    }
    return count;
  }

  it('sends at most two statements a second to the database, with Redis and without', async () => {
    const counts = await Promise.all([countStatements({}), countStatements({ REDIS_URL: redis.url })]);
    process.stdout.write(`statements of idle workers in ${SPAN} ms, without and with Redis: ${counts.join(', ')}\n`);
    for (const count of counts) {
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(MAX_COUNT);
    }
  });
});
