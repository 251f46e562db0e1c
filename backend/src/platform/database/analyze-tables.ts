import type { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';

const logger = new Logger('Database');

/**
 * Updates planner statistics after a bulk insert. Until autovacuum does so, PostgreSQL plans queries as if the tables
 * were still small. This is only an optimisation, so errors are logged and not thrown. Don't call it within a
 * transaction.
 */
export async function analyzeTables(em: EntityManager, tables: readonly string[]): Promise<void> {
  try {
    await em.fork().execute(`analyze ${tables.map((name) => `"${name}"`).join(', ')}`);
  } catch (error) {
    logger.warn({ err: error, tables }, "Couldn't refresh table statistics");
  }
}
