import { sql, type RawBuilder } from 'kysely';

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
 * The counters are in the campaign's row, which must be locked before any of its deliveries: the lock of the campaign
 * comes first in the transaction or statement, followed by the deliveries in id order. This keeps sending, cancelling
 * and retrying from deadlocking.
 */

/** Locks a campaign, as a statement or as a CTE that the next one joins with the deliveries. */
export const lockedCampaignSql = (id: number): RawBuilder<unknown> =>
  sql`select id from campaigns where id = ${id} for no key update`;

/**
 * Builds the assignments of an `update campaigns c` that increment counters; negative amounts decrement. All changes of
 * the counters use it.
 * @param amounts numbers, or expressions of the statement
 */
export function incrementsSql(
  amounts: Partial<Record<CampaignCount, number | RawBuilder<unknown>>>,
): RawBuilder<unknown> {
  const each = Object.entries(amounts).map(([count, amount]) => {
    const column = sql.ref(`${count}_count`);
    return sql`${column} = ${sql.ref(`c.${count}_count`)} + ${amount}`;
  });
  return sql.join(each);
}

/** Condition on a campaign with alias `c`: no emails are left to send. */
export const isCompleteSql = sql<boolean>`(c.recipient_count = c.delivered_count + c.kept_count + c.failed_count
  + c.skipped_count + c.cancelled_count)`;

/**
 * Condition on a campaign with alias `c`: its failures are attributable to recipients. If so many mailboxes were
 * reported missing that the campaign was paused, or more than emails were delivered, the mail server is at fault and no
 * recipient is counted.
 */
export const isRecipientProblemSql = sql<boolean>`(c.failure is distinct from 'READERS_REFUSED'
  and c.reader_fault_count <= c.delivered_count)`;

/**
 * Columns of a campaign with alias `c` for `FailureWindow`. Emails and sender-caused rejections count since sending was
 * last resumed. Missing mailboxes count among all results, unless the owner has resumed the campaign despite them.
 */
export const failureWindowColumnsSql = sql`(c.delivered_count + c.failed_count - c.watched_from) as tried,
  c.sender_fault_count as "senderRejections", c.delivered_count + c.failed_count as results,
  case when c.readers_watched then c.reader_fault_count else 0 end as "missingMailboxes"`;
