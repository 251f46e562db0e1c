import pg from 'pg';
import type { World } from './world.js';

/** What another transaction has written and not committed yet. */
export interface UncommittedChange {
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
export async function whileTransactionOpen<T>(
  world: World,
  { sql, values = [], then }: UncommittedChange,
  work: () => PromiseLike<T>,
  expectedWaiters = 1,
): Promise<T> {
  const [transaction, monitor] = [await connect(world), await connect(world)];
  try {
    await transaction.query('begin');
    await transaction.query(sql, [...values]);
    let isDone = false;
    const done = () => void (isDone = true);
    const pendingWork = Promise.resolve(work());
    pendingWork.then(done, done);
    while (!isDone && (await countLockWaiters(monitor)) < expectedWaiters)
      await new Promise((resolve) => setTimeout(resolve, 5));
    if (then !== undefined) {
      await transaction.query(`set local lock_timeout = '1ms'`);
      await transaction.query(then);
    }
    await transaction.query('commit');
    return await pendingWork;
  } finally {
    await Promise.all([transaction.end(), monitor.end()]);
  }
}

async function connect(world: World): Promise<pg.Client> {
  const client = new pg.Client(world.testApp.connection as pg.ClientConfig);
  await client.connect();
  return client;
}

/** Statements on the same database that wait for a lock; asked outside the transaction, which would see them once. */
async function countLockWaiters(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0]!.count);
}
