import type { EntitlementState } from '../entities/entitlement.entity.js';
import type { Source } from './sources.js';

/** When something happened at the sender, and which of two pieces of news of one moment stands. */
export interface Moment {
  readonly occurredAt: Date;
  readonly finality: number;
}

/** A piece of news of a sender about one thing bought and one zone. */
export interface News extends Moment {
  readonly source: Source;
  /** The order or the subscription. */
  readonly purchaseId: string;
  readonly externalId: string;
  readonly zoneId: number;
  readonly webhookId: number | null;
}

/**
 * What came of it. `kept`: it was so already; `awaited`: another delivery of the same news waits for a place;
 * `withheld`: it was taken back by hand, or the account was deleted, and stays so; `reviewed`: it stays, and a person has
 * to decide.
 */
export interface Effect {
  readonly outcome:
    'granted' | 'kept' | 'waiting' | 'awaited' | 'withheld' | 'revoked' | 'reviewed' | 'superseded' | 'zone-gone';
  readonly userId: number | null;
  /** True when the person was not in the zone before. */
  readonly joined: boolean;
}

/** What is known of a thing bought, as its row says. */
export interface RecordedPurchase extends Moment {
  readonly id: number;
  readonly userId: number | null;
  readonly state: EntitlementState;
  readonly isTakenBack: boolean;
  readonly webhookId: number | null;
}

/** Senders deliver late and in any order; of two pieces of news of one moment the more final one stands. */
export function isOlder(news: Moment, known: Moment): boolean {
  const difference = news.occurredAt.getTime() - known.occurredAt.getTime();
  return difference < 0 || (difference === 0 && news.finality < known.finality);
}

/** Of several deliveries of one piece of news the first waits, so that the log shows one place that is missing. */
export function isAwaited(news: News, known: RecordedPurchase): boolean {
  const isAnother = known.webhookId !== null && known.webhookId !== news.webhookId;
  return known.state === 'waiting' && isAnother && news.occurredAt.getTime() === known.occurredAt.getTime();
}
