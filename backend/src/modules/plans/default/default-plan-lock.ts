import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';

const LOCK_NAME = 'default-plan';

/**
 * Locks the default plan against changes until `em` commits. Required before writing a limit derived from the default
 * plan: otherwise a transaction that has read the old default could write after the job that updates all limits, and
 * its limit would stay outdated.
 */
export async function lockDefaultPlanShared(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${LOCK_NAME}, 0))`.execute(query(em));
}

/** The exclusive counterpart, for changing the default plan. Waits for all shared holders. */
export async function lockDefaultPlanExclusive(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${LOCK_NAME}, 0))`.execute(query(em));
}
