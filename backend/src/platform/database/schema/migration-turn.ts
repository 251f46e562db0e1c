import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConnection } from '../pool/connection.js';
import { patientConnection } from '../pool/time-limits.js';

/** Only one process migrates at a time; the others wait here and then find nothing to do. */
export const MIGRATION_LOCK = 7_206_642;
/** How often who waits asks whether it is their turn, in milliseconds. */
const ASK = 200;

/**
 * Does something while no other process does it. Who waits asks again and again and holds nothing meanwhile: a statement
 * that waited for the lock would keep `create index concurrently`, which waits for every older statement, from ending.
 * @param onWait called once, and awaited, when somebody else has the turn
 */
export async function inMigrationTurn<T>(
  connection: DatabaseConnection,
  work: () => Promise<T>,
  onWait?: () => Promise<void>,
): Promise<T> {
  const client = new pg.Client({ ...connection, ...patientConnection } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (let first = true; !(await isTurn(client)); first = false) {
      if (first) await onWait?.();
      await setTimeout(ASK);
    }
    return await work();
  } finally {
    // The lock goes with the session.
    await client.end().catch(() => undefined);
  }
}

async function isTurn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [MIGRATION_LOCK]);
  return rows[0]!.taken;
}
