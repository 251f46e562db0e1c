export type DeliveryProblem = 'SENDER_REFUSED' | 'READERS_REFUSED';

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
