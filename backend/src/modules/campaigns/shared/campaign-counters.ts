import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { CampaignSchema } from '../entities/campaign.entity.js';

/** The counts of a campaign: what became of its mails, what was given back of the quota, and what readers did. */
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
 * The one writer of a campaign's counts. They stand in the row of the campaign, which is locked before any of its
 * deliveries: `lockCampaign` or `lockedCampaignQuery` comes first in the transaction, or the statement, and the deliveries
 * follow in the order of their ids. So sending, cancelling and trying again wait for each other and do not deadlock.
 */

/** Locks a campaign until the commit, before its deliveries are. Rows that refer to it may be written meanwhile. */
export async function lockCampaign(em: EntityManager, id: number): Promise<void> {
  await sql`select id from campaigns where id = ${id} for no key update`.execute(query<typeof CampaignSchema>(em));
}

/** The same as a table expression, for a statement whose next expression joins it to the deliveries. */
export const lockedCampaignQuery = (id: number): RawBuilder<unknown> =>
  sql`select id from campaigns where id = ${id} for no key update`;

/**
 * The assignments of an `update campaigns c` that add to counts (negative ones take away).
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

/** Adds to counts of a campaign that the caller's transaction has locked. */
export async function incrementCounts(
  em: EntityManager,
  id: number,
  amounts: Partial<Record<CampaignCount, number>>,
): Promise<void> {
  await sql`update campaigns c set ${incrementAssignments(amounts)} where c.id = ${id}`.execute(
    query<typeof CampaignSchema>(em),
  );
}

/** True of a campaign, named `c`, of whose mails none is left to send. */
export const isComplete = sql<boolean>`(c.recipient_count = c.delivered_count + c.kept_count + c.failed_count
  + c.skipped_count + c.cancelled_count)`;

/** What a campaign, named `c`, has been charged for recipients who got no mail, and not been given back. */
export const refundableCount = sql<number>`(c.kept_count + c.failed_count + c.skipped_count + c.cancelled_count
  - c.returned_count)`;

/** True of a campaign, named `c`, whose mails were refused or kept here and none of which was delivered. */
export const isUndelivered = sql<boolean>`(c.delivered_count < 1 and c.failed_count + c.kept_count > 0)`;

/** Why a campaign, named `c`, was delivered to nobody: what was refused is told before what was only kept. */
export const undeliveredReason = sql<'ALL_REFUSED' | 'NO_MAIL_SERVER'>`case when c.failed_count > 0 then 'ALL_REFUSED'
  else 'NO_MAIL_SERVER' end`;

/**
 * True of a campaign, named `c`, whose failures tell of readers. Where as many mailboxes are said to be missing that it had to
 * pause, or more than there are mails that arrived, it is the mail server that is wrong, and no reader is counted.
 */
export const isRecipientProblem = sql<boolean>`(c.failure is distinct from 'READERS_REFUSED'
  and c.reader_fault_count <= c.delivered_count)`;

/**
 * What is watched of a campaign, named `c`: mails with a result since it was last let go on, and those refused by the sender's
 * fault; and of all that have a result, mailboxes that are said to be missing, until its owner has let it go on in spite of them.
 */
export const failureWindowColumns = sql`(c.delivered_count + c.failed_count - c.watched_from) as tried,
  c.sender_fault_count as "senderFaults", c.delivered_count + c.failed_count as results,
  case when c.readers_watched then c.reader_fault_count else 0 end as "readerFaults"`;

/** Begins to watch anew, for a campaign that its owner lets go on; the caller's transaction has locked it. */
export async function resetFailureWindow(em: EntityManager, id: number): Promise<void> {
  await sql`update campaigns c set sender_fault_count = 0, watched_from = c.delivered_count + c.failed_count
    where c.id = ${id}`.execute(query<typeof CampaignSchema>(em));
}

/** What has come of a campaign so far. */
export interface FailureWindow {
  /** Mails with a result. */
  readonly tried: number;
  /** Those of them that were refused for a reason that lies with the sending. */
  readonly senderFaults: number;
  /** Mails with a result since it began. */
  readonly results: number;
  /** Those of them whose mailbox is said to be missing. */
  readonly readerFaults: number;
}

/** Of the first mails, and of many: what the sending may have refused before it is stopped. */
const EARLY_THRESHOLD = { mails: 50, share: 5 };
const LATE_THRESHOLD = { mails: 1000, share: 20 };

/**
 * Why a campaign is to pause by itself, or null. `SENDER_REFUSED`: more than a fifth of the first 50 mails, or a twentieth of
 * 1,000, were refused for the sender's reason; in between a fifth counts until that is more than what 1,000 may have.
 * `READERS_REFUSED`: of more than a fifth, and of more than ten, the mailbox is said to be missing.
 */
export function detectDeliveryProblem({
  tried,
  senderFaults,
  results,
  readerFaults,
}: FailureWindow): DeliveryProblem | null {
  const few = Math.max(EARLY_THRESHOLD.mails, tried) / EARLY_THRESHOLD.share;
  const many = Math.max(LATE_THRESHOLD.mails, tried) / LATE_THRESHOLD.share;
  if (senderFaults > Math.min(few, many)) return 'SENDER_REFUSED';
  return readerFaults > Math.max(EARLY_THRESHOLD.mails, results) / EARLY_THRESHOLD.share ? 'READERS_REFUSED' : null;
}

export type DeliveryProblem = 'SENDER_REFUSED' | 'READERS_REFUSED';
