import type { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';

const logger = new Logger('Database');

/**
 * Has the database look at tables again into which much came at once: until it does so by itself it plans queries as for
 * the small tables that they were. Nothing depends on it, so a fault goes to the log. Not within a transaction.
 */
export async function analyzeTables(em: EntityManager, tables: readonly string[]): Promise<void> {
  try {
    await em.fork().execute(`analyze ${tables.map((name) => `"${name}"`).join(', ')}`);
  } catch (error) {
    logger.warn({ err: error, tables }, 'The figures about tables could not be brought up to date');
  }
}
