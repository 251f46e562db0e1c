import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { CampaignSchema } from '../entities/campaign.entity.js';

/** The counters of a campaign: results of its emails, refunded quota, and recipients' actions. */
export type CampaignCount =
  | 'delivered'
  | 'kept'
  | 'failed'
  | 'sender_fault'
  | 'reader_fault'
  | 'skipped'
  | 'cancelled'
  | 'returned'
  | 'open'
  | 'click';

/**
 * All changes to a campaign's counters go through this file. The counters are in the campaign's row, which must be
 * locked before any of its deliveries: `lockCampaign` or `lockedCampaignQuery` comes first in the transaction or
 * statement, followed by the deliveries in id order. This keeps sending, cancelling and retrying from deadlocking.
 */

/**
 * Locks a campaign until the commit; must be called before its deliveries are locked. Rows that reference it can still
 * be inserted.
 */
export async function lockCampaign(em: EntityManager, id: number): Promise<void> {
  await sql`select id from campaigns where id = ${id} for no key update`.execute(query<typeof CampaignSchema>(em));
}

/** Like `lockCampaign`, as a CTE that the next one joins with the deliveries. */
export const lockedCampaignQuery = (id: number): RawBuilder<unknown> =>
  sql`select id from campaigns where id = ${id} for no key update`;

/**
 * Builds the assignments of an `update campaigns c` that increment counters; negative amounts decrement.
 * @param amounts numbers, or expressions of the statement
 */
export function incrementAssignments(
  amounts: Partial<Record<CampaignCount, number | RawBuilder<unknown>>>,
): RawBuilder<unknown> {
  const each = Object.entries(amounts).map(([count, amount]) => {
    const column = sql.ref(`${count}_count`);
    return sql`${column} = ${sql.ref(`c.${count}_count`)} + ${amount}`;
  });
  return sql.join(each);
}

/** Increments counters of a campaign that the caller's transaction has locked. */
export async function incrementCounts(
  em: EntityManager,
  id: number,
  amounts: Partial<Record<CampaignCount, number>>,
): Promise<void> {
  await sql`update campaigns c set ${incrementAssignments(amounts)} where c.id = ${id}`.execute(
    query<typeof CampaignSchema>(em),
  );
}

/** Condition on a campaign with alias `c`: no emails are left to send. */
export const isComplete = sql<boolean>`(c.recipient_count = c.delivered_count + c.kept_count + c.failed_count
  + c.skipped_count + c.cancelled_count)`;

/** For a campaign with alias `c`: number of emails that were charged but not sent, and not refunded yet. */
export const refundableCount = sql<number>`(c.kept_count + c.failed_count + c.skipped_count + c.cancelled_count
  - c.returned_count)`;

/** Condition on a campaign with alias `c`: emails were rejected or kept, and none was delivered. */
export const isUndelivered = sql<boolean>`(c.delivered_count < 1 and c.failed_count + c.kept_count > 0)`;

/** Why a campaign with alias `c` was delivered to no one; rejections take precedence over emails on hold. */
export const undeliveredReason = sql<'ALL_REFUSED' | 'NO_MAIL_SERVER'>`case when c.failed_count > 0 then 'ALL_REFUSED'
  else 'NO_MAIL_SERVER' end`;

/**
 * Condition on a campaign with alias `c`: its failures are attributable to recipients. If so many mailboxes were
 * reported missing that the campaign was paused, or more than emails were delivered, the mail server is at fault and no
 * recipient is counted.
 */
export const isRecipientProblem = sql<boolean>`(c.failure is distinct from 'READERS_REFUSED'
  and c.reader_fault_count <= c.delivered_count)`;

/**
 * Columns of a campaign with alias `c` for `FailureWindow`. Emails and sender-caused rejections count since sending was
 * last resumed. Missing mailboxes count among all results, unless the owner has resumed the campaign despite them.
 */
export const failureWindowColumns = sql`(c.delivered_count + c.failed_count - c.watched_from) as tried,
  c.sender_fault_count as "senderRejections", c.delivered_count + c.failed_count as results,
  case when c.readers_watched then c.reader_fault_count else 0 end as "missingMailboxes"`;

/** Resets the failure window of a campaign that its owner resumes; the caller's transaction has locked it. */
export async function resetFailureWindow(em: EntityManager, id: number): Promise<void> {
  await sql`update campaigns c set sender_fault_count = 0, watched_from = c.delivered_count + c.failed_count
    where c.id = ${id}`.execute(query<typeof CampaignSchema>(em));
}

/** Results of a campaign so far. */
export interface FailureWindow {
  /** Emails with a result since sending was last resumed. */
  readonly tried: number;
  /** Those of them that were rejected because of the sender. */
  readonly senderRejections: number;
  /** Emails with a result since sending started. */
  readonly results: number;
  /** Those of them whose mailbox does not exist. */
  readonly missingMailboxes: number;
}

/** Maximum share of sender-caused rejections (one in `share`), for the first emails and for many. */
const EARLY_THRESHOLD = { mails: 50, share: 5 };
const LATE_THRESHOLD = { mails: 1000, share: 20 };

/**
 * Returns why a campaign must be paused, or null. `SENDER_REFUSED`: more than a fifth of the first 50 emails, or a
 * twentieth of 1,000, were rejected because of the sender; in between, a fifth applies until it exceeds the limit for
 * 1,000. `READERS_REFUSED`: the mailboxes of more than a fifth, and of more than ten, don't exist.
 */
export function detectDeliveryProblem({
  tried,
  senderRejections,
  results,
  missingMailboxes,
}: FailureWindow): DeliveryProblem | null {
  const earlyLimit = Math.max(EARLY_THRESHOLD.mails, tried) / EARLY_THRESHOLD.share;
  const lateLimit = Math.max(LATE_THRESHOLD.mails, tried) / LATE_THRESHOLD.share;
  if (senderRejections > Math.min(earlyLimit, lateLimit)) return 'SENDER_REFUSED';
  return missingMailboxes > Math.max(EARLY_THRESHOLD.mails, results) / EARLY_THRESHOLD.share ? 'READERS_REFUSED' : null;
}

export type DeliveryProblem = 'SENDER_REFUSED' | 'READERS_REFUSED';
