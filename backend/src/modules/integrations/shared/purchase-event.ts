import type { EntitlementState } from '../entities/entitlement.entity.js';
import type { WebhookSource } from './sources.js';

/** When something happened at the sender, and which of two pieces of news of one moment stands. */
export interface EventMoment {
  readonly occurredAt: Date;
  readonly finality: number;
}

/** A piece of news of a sender about one thing bought and one zone. */
export interface PurchaseEvent extends EventMoment {
  readonly source: WebhookSource;
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
export interface ApplyResult {
  readonly outcome:
    'granted' | 'kept' | 'waiting' | 'awaited' | 'withheld' | 'revoked' | 'reviewed' | 'superseded' | 'zone-gone';
  readonly userId: number | null;
  /** True when the person was not in the zone before. */
  readonly joined: boolean;
}

/** What is known of a thing bought, as its row says. */
export interface EntitlementRow extends EventMoment {
  readonly id: number;
  readonly userId: number | null;
  readonly state: EntitlementState;
  readonly isTakenBack: boolean;
  readonly webhookId: number | null;
}

/** Senders deliver late and in any order; of two pieces of news of one moment the more final one stands. */
export function isOlderEvent(event: EventMoment, known: EventMoment): boolean {
  const difference = event.occurredAt.getTime() - known.occurredAt.getTime();
  return difference < 0 || (difference === 0 && event.finality < known.finality);
}

/** Of several deliveries of one piece of news the first waits, so that the log shows one place that is missing. */
export function isAwaitedByOtherDelivery(event: PurchaseEvent, known: EntitlementRow): boolean {
  const isAnother = known.webhookId !== null && known.webhookId !== event.webhookId;
  return known.state === 'waiting' && isAnother && event.occurredAt.getTime() === known.occurredAt.getTime();
}
