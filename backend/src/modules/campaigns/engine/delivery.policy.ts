import { Injectable } from '@nestjs/common';
import { addMilliseconds, HOUR, MINUTE, SECOND } from '../../../platform/clock/clock.js';
import { isSenderRejection, type BounceCause, type SendOutcome } from '../../../platform/email/outcome/send-outcome.js';
import type { Recipient } from '../rendering/campaign-renderer.service.js';

/** A delivery that this worker must send. */
export interface ClaimedDelivery extends Recipient {
  readonly id: number;
  readonly campaignId: number;
  readonly attempt: number;
}

/** Result of an attempt; `queued` means it will be retried at `runAt`. */
export interface DeliveryResult {
  readonly id: number;
  readonly campaignId: number;
  readonly state: 'delivered' | 'kept' | 'failed' | 'queued';
  readonly smtpCode: number | null;
  readonly reason: string | null;
  /** Whether the recipient's address or the sender is the cause; null if unknown or successful. */
  readonly bounceCause: BounceCause | null;
  readonly runAt: Date;
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

/** State of a campaign after results were recorded. */
export interface CampaignCounts extends FailureWindow {
  readonly id: number;
  readonly isDone: boolean;
}

export type DeliveryProblem = 'SENDER_REFUSED' | 'READERS_REFUSED';

/** Timing of sending, in milliseconds. */
@Injectable()
export class DeliveryConfig {
  /** A worker without a heartbeat for this long loses its claimed deliveries. */
  readonly leaseDuration: number = 14 * SECOND;
  readonly heartbeatInterval: number = 3 * SECOND;
  /** How often a worker polls for due emails while it sends some. */
  readonly pollInterval: number = SECOND / 4;
  /** How often an idle worker polls for due emails; until then another worker sends them alone. */
  readonly idlePollInterval: number = 4 * SECOND;
  /** How far ahead a worker claims work; at the end of a campaign, other workers may be idle for that long. */
  readonly claimAhead: number = SECOND / 4;
  /** How long a stopping worker waits for emails in progress. */
  readonly shutdownGrace: number = 8 * SECOND;
  /** Initial and maximum delay after the mail server is considered down. */
  readonly initialServerBackoff: number = SECOND;
  readonly maxServerBackoff: number = 30 * SECOND;
  /** Initial and maximum delay before an email is retried; doubled each time. */
  readonly initialRetryDelay: number = MINUTE;
  readonly maxRetryDelay: number = HOUR;
  /** Attempts per email; with the delays they span about eight hours. */
  readonly maxAttempts: number = 14;

  /** Returns the delay after the given attempt (starting at 1), with 25 per cent jitter. */
  retryDelay(attempt: number, random = Math.random()): number {
    const plain = Math.min(this.maxRetryDelay, this.initialRetryDelay * 2 ** (attempt - 1));
    return Math.round(plain * (0.75 + random / 2));
  }
}

/**
 * Converts what became of an attempt: a rejection is final; after any other failure the email is retried, until
 * `maxAttempts`.
 */
export function toDeliveryResult(
  { id, campaignId, attempt }: ClaimedDelivery,
  outcome: SendOutcome,
  now: Date,
  config: Pick<DeliveryConfig, 'maxAttempts' | 'retryDelay'>,
): DeliveryResult {
  const base = { id, campaignId, runAt: now, smtpCode: null, reason: null, bounceCause: null };
  if (outcome.kind === 'sent') return { ...base, state: 'delivered' };
  if (outcome.kind === 'on-hold') return { ...base, state: 'kept' };
  const { code: smtpCode, reason } = outcome;
  if (outcome.kind === 'rejected' || attempt >= config.maxAttempts) {
    // Repeated temporary failures are no evidence against the address.
    const bounceCause = outcome.kind === 'rejected' ? outcome.bounceCause : 'sender';
    return { ...base, state: 'failed', smtpCode, reason, bounceCause };
  }
  // Counts against the sender, so that the campaign is paused and the owner notified. The email waits until the problem
  // is fixed.
  const bounceCause = isSenderRejection(outcome) ? 'sender' : null;
  const runAt = addMilliseconds(now, config.retryDelay(attempt));
  return { ...base, state: 'queued', smtpCode, reason, bounceCause, runAt };
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
