import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConnection } from '../pool/connection.js';
import { patientConnection, timeLimits } from '../pool/time-limits.js';

/** Only one process migrates at a time; the others wait here and then find nothing to do. */
export const MIGRATION_LOCK = 7_206_642;
/** How often who waits asks whether it is their turn, in milliseconds. */
const ASK = 200;
/** How long the server may take to answer who asks, or says that it is still there, in milliseconds. */
const PATIENCE = 10_000;

interface TurnOptions {
  /** Called once, and awaited, when somebody else has the turn. */
  readonly onWait?: (() => Promise<void>) | undefined;
  /** After this silence of who has the turn the server gives it to others, in milliseconds. */
  readonly silence?: number;
  /** How often who has the turn says that it is still there, in milliseconds. */
  readonly every?: number;
}

/**
 * Does something while no other process does it. Who waits asks again and again and holds nothing meanwhile: a statement
 * that waited for the lock would keep `create index concurrently`, which waits for every older statement, from ending.
 *
 * The lock is that of a transaction: behind a pooler a session goes on after who had it, and would keep the turn for ever.
 * The server ends the transaction of who says nothing any more, also when their machine is gone without a word.
 */
export async function inMigrationTurn<T>(
  connection: DatabaseConnection,
  work: () => Promise<T>,
  { onWait, silence = timeLimits.idleInTransaction, every = silence / 4 }: TurnOptions = {},
): Promise<T> {
  const limits = { ...patientConnection, query_timeout: PATIENCE };
  const client = new pg.Client({ ...connection, ...limits } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (let first = true; !(await takesTurn(client, silence)); first = false) {
      if (first) await onWait?.();
      await setTimeout(ASK);
    }
    return await keepingTurn(client, { silence, every }, work);
  } finally {
    // A server that says nothing does not say goodbye either.
    void client.end().catch(() => undefined);
  }
}

async function takesTurn(client: pg.Client, silence: number): Promise<boolean> {
  await client.query('begin');
  await saysThatItIsThere(client, silence);
  // Without parameters: the portal of a statement that has some keeps its snapshot after its end, as long as the
  // transaction does nothing else, and `create index concurrently` would wait for it.
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`,
  );
  const { taken } = rows[0]!;
  if (!taken) await client.query('rollback');
  return taken;
}

/** `set` reads nothing: a statement that does, at the wrong moment, is waited for by `create index concurrently`. */
async function saysThatItIsThere(client: pg.Client, silence: number): Promise<void> {
  await client.query(`set local idle_in_transaction_session_timeout = ${silence}`);
}

async function keepingTurn<T>(
  client: pg.Client,
  { silence, every }: Required<Pick<TurnOptions, 'silence' | 'every'>>,
  work: () => Promise<T>,
): Promise<T> {
  // Where the link is gone the turn is too; what is being migrated is undone by the server or ends as it should.
  const timer = setInterval(() => void saysThatItIsThere(client, silence).catch(() => undefined), every);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await client.query('commit').catch(() => undefined);
  }
}
