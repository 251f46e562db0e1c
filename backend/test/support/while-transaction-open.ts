import pg from 'pg';
import type { World } from './world.js';

/** A change another transaction has made but not committed. */
export interface UncommittedChange {
  readonly sql: string;
  readonly values?: readonly unknown[];
  /** A statement to run once a transaction waits for this one. It must not wait for locks of the waiting one. */
  readonly then?: string;
}

/**
 * Runs `work` while another transaction has an uncommitted change. That transaction commits once the given number of
 * statements wait for it, or when `work` finishes without waiting. Reproduces races between reading and writing
 * reliably.
 * @param expectedWaiters statements that must wait before the other transaction commits
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

/**
 * Counts statements on this database that wait for a lock; runs outside the transaction, which would see a snapshot.
 */
async function countLockWaiters(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0]!.count);
}
