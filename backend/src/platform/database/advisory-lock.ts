import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { query } from './query.js';

/** Lets transactions that name the same thing come one after the other: what they count does not change under them. */
export async function acquireAdvisoryLock(em: EntityManager, ...key: string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(key)}, 0))`.execute(query(em));
}
