import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { query } from './query.js';

/**
 * Serialises transactions that use the same key, until the end of the transaction. What they count under the lock can't
 * be changed by the others.
 */
export async function acquireAdvisoryLock(em: EntityManager, ...key: string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(key)}, 0))`.execute(query(em));
}
