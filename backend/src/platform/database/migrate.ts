import { MikroORM } from '@mikro-orm/postgresql';
import type { DatabaseConnection } from './connection.js';
import { ormOptions } from './orm-options.js';

/** Only one process migrates at a time; the others wait here and then find nothing to do. */
const MIGRATION_LOCK = 7_206_642;

/**
 * Brings the database to the newest schema.
 * @returns names of the migrations that ran
 */
export async function migrate(connection: DatabaseConnection): Promise<string[]> {
  const orm = await MikroORM.init({ ...ormOptions(connection), logger: () => undefined });
  try {
    return await orm.em.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
      const done = await orm.migrator.up();
      return done.map(({ name }) => name);
    });
  } finally {
    await orm.close();
  }
}
