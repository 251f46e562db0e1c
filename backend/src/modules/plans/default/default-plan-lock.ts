import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';

const LOCK_NAME = 'default-plan';

/**
 * Until the commit of `em` the default stays what it is; for whoever writes down a limit that follows from it. Otherwise one
 * who read the old default could write after the job that brings all limits to the new one, and keep it for ever.
 */
export async function lockDefaultPlanShared(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${LOCK_NAME}, 0))`.execute(query(em));
}

/** The same for whoever changes it: waits for those who hold it, and is alone until the commit. */
export async function lockDefaultPlanExclusive(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${LOCK_NAME}, 0))`.execute(query(em));
}
