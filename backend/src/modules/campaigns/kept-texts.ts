import type { EntityManager } from '@mikro-orm/postgresql';
import { campaignErrors } from './campaigns.errors.js';

/** Most of what one owner keeps without sending it. No plan counts these, and each may have 500 kB. */
const MOST_DRAFTS = 500;
const MOST_TEMPLATES = 100;

/**
 * Refuses one more draft, in the transaction that makes it.
 * @throws DRAFT_LIMIT
 */
export async function refuseTooManyDrafts(em: EntityManager, ownerId: number): Promise<void> {
  const sql = `select count(*)::int as count from campaigns where sent_by_id = ? and status = 'draft'`;
  if ((await countInTurn(em, ownerId, sql)) >= MOST_DRAFTS) throw campaignErrors.DRAFT_LIMIT();
}

/**
 * Refuses one more template, in the transaction that makes it.
 * @throws TEMPLATE_LIMIT
 */
export async function refuseTooManyTemplates(em: EntityManager, ownerId: number): Promise<void> {
  const sql = 'select count(*)::int as count from email_templates where owner_id = ?';
  if ((await countInTurn(em, ownerId, sql)) >= MOST_TEMPLATES) throw campaignErrors.TEMPLATE_LIMIT();
}

/** Requests of one owner wait for each other until their commit, so that many at once cannot pass a limit together. */
async function countInTurn(em: EntityManager, ownerId: number, sql: string): Promise<number> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`kept-texts:${ownerId}`]);
  const [row] = await em.execute<{ count: number }[]>(sql, [ownerId]);
  return row!.count;
}
