import { MikroORM } from '@mikro-orm/postgresql';
import { productVersion } from '../config/version.js';
import type { DatabaseConnection } from './pool/connection.js';
import { examineDatabase } from './examine-database.js';
import { ormOptions } from './orm-options.js';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { patientConnection } from './pool/time-limits.js';

/**
 * Brings the database to the newest schema.
 * @returns names of the migrations that ran
 * @throws StartRefusal when the database is not there, says nothing, or is of a newer version
 */
export async function migrate(connection: DatabaseConnection): Promise<string[]> {
  await examineDatabase(connection);
  const orm = await MikroORM.init({ ...ormOptions(connection, [], 'patient'), logger: () => undefined });
  try {
    return await inMigrationTurn(connection, async () => {
      const done = await orm.migrator.up();
      if (done.length > 0) await orm.em.fork().execute('update installation set version = ?', [productVersion()]);
      return done.map(({ name }) => name);
    });
  } finally {
    await orm.close();
  }
}

/** Only one process migrates at a time; the others wait here and then find nothing to do. */
const MIGRATION_LOCK = 7_206_642;
/** How often who waits asks whether it is their turn, in milliseconds. */
const ASK = 200;

/**
 * Does something while no other process does it. Who waits asks again and again and holds nothing meanwhile: a statement
 * that waited for the lock would keep `create index concurrently`, which waits for every older statement, from ending.
 */
export async function inMigrationTurn<T>(connection: DatabaseConnection, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connection, ...patientConnection } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    while (!(await isTurn(client))) await setTimeout(ASK);
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
