import type { EntitlementState } from '../entities/entitlement.entity.js';
import type { WebhookSource } from './sources.js';

/** When an event happened at the sender, and its precedence over others with the same time. */
export interface EventMoment {
  readonly occurredAt: Date;
  readonly finality: number;
}

/** An event about one purchased item and one zone. */
export interface PurchaseEvent extends EventMoment {
  readonly source: WebhookSource;
  /** The order or subscription. */
  readonly purchaseId: string;
  readonly externalId: string;
  readonly zoneId: number;
  readonly webhookId: number | null;
}

/**
 * The result of an event. `kept`: unchanged; `awaited`: another delivery of the same event is already waiting for room;
 * `withheld`: it was revoked manually, or the account was deleted, and stays revoked; `reviewed`: access stays, and
 * a person has to decide.
 */
export interface ApplyResult {
  readonly outcome:
    'granted' | 'kept' | 'waiting' | 'awaited' | 'withheld' | 'revoked' | 'reviewed' | 'superseded' | 'zone-gone';
  readonly userId: number | null;
  /** True when the event made the person a member. */
  readonly joined: boolean;
}

/** The stored state of an entitlement. */
export interface EntitlementRow extends EventMoment {
  readonly id: number;
  readonly userId: number | null;
  readonly state: EntitlementState;
  readonly isTakenBack: boolean;
  readonly webhookId: number | null;
}

/** Whether an event is outdated. Senders deliver late and out of order; for equal times, the higher `finality` wins. */
export function isOlderEvent(event: EventMoment, known: EventMoment): boolean {
  const difference = event.occurredAt.getTime() - known.occurredAt.getTime();
  return difference < 0 || (difference === 0 && event.finality < known.finality);
}

/**
 * If an event is delivered several times, only the first delivery waits, so that the log shows a full zone only
 * once.
 */
export function isAwaitedByOtherDelivery(event: PurchaseEvent, known: EntitlementRow): boolean {
  const isAnother = known.webhookId !== null && known.webhookId !== event.webhookId;
  return known.state === 'waiting' && isAnother && event.occurredAt.getTime() === known.occurredAt.getTime();
}
