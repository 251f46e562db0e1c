import pg from 'pg';
import type { World } from './world.js';

/** What another transaction has written and not committed yet. */
export interface Change {
  readonly sql: string;
  readonly values?: readonly unknown[];
  /** What it needs as well once somebody waits for it. It does not wait itself: whoever waits must not hold that. */
  readonly then?: string;
}

/**
 * Does some work while another transaction has made a change and not ended; that one commits as soon as so many of the
 * work's statements wait for it, or the work is done without waiting. So a test meets the moment between reading and
 * writing without leaving it to chance.
 * @param waiters statements that wait before the other transaction commits
 */
export async function amid<T>(
  world: World,
  { sql, values = [], then }: Change,
  work: () => PromiseLike<T>,
  waiters = 1,
): Promise<T> {
  const [other, watcher] = [await connect(world), await connect(world)];
  try {
    await other.query('begin');
    await other.query(sql, [...values]);
    let isDone = false;
    const done = () => void (isDone = true);
    const working = Promise.resolve(work());
    working.then(done, done);
    while (!isDone && (await waiting(watcher)) < waiters) await new Promise((resolve) => setTimeout(resolve, 5));
    if (then !== undefined) {
      await other.query(`set local lock_timeout = '1ms'`);
      await other.query(then);
    }
    await other.query('commit');
    return await working;
  } finally {
    await Promise.all([other.end(), watcher.end()]);
  }
}

async function connect(world: World): Promise<pg.Client> {
  const client = new pg.Client(world.inside.connection as pg.ClientConfig);
  await client.connect();
  return client;
}

/** Statements on the same database that wait for a lock; asked outside the transaction, which would see them once. */
async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0]!.count);
}
