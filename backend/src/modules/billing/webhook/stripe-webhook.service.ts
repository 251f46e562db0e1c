import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { billingErrors } from '../billing.errors.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
import type { EventOutcome } from '../entities/billing-account.entity.js';
import { refreshSubscription } from '../billing.jobs.js';
import { StripeEventRepository } from './stripe-event.repository.js';

/** How long a signature is valid, in seconds. */
const SIGNATURE_TOLERANCE_SECONDS = 300;
/** Event types that trigger a refresh of the subscription, with the field that contains the customer. */
const customerFieldByEvent: Record<string, 'customer' | 'id'> = {
  'checkout.session.completed': 'customer',
  'customer.subscription.created': 'customer',
  'customer.subscription.updated': 'customer',
  'customer.subscription.deleted': 'customer',
  'customer.subscription.paused': 'customer',
  'customer.subscription.resumed': 'customer',
  'invoice.paid': 'customer',
  'invoice.payment_failed': 'customer',
  'invoice.payment_action_required': 'customer',
  'customer.deleted': 'id',
};

interface StripeDelivery {
  readonly id: string;
  readonly type: string;
  readonly customerId: string | null;
}

/** Receives Stripe's webhook deliveries. */
@Injectable()
export class StripeWebhookService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly accounts: BillingAccountRepository,
    private readonly events: StripeEventRepository,
    private readonly jobs: JobsService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /**
   * Stores an event once, together with the job that refreshes the customer's subscription.
   * @param body the raw bytes, which the signature covers
   * @param ipAddress of the client
   * @throws BILLING_NOT_CONFIGURED without a secret, WEBHOOK_SIGNATURE for a forged, stale or truncated delivery
   */
  async receiveDelivery(body: Buffer, signature: string, ipAddress: string | null): Promise<void> {
    const delivery = this.verifySignature(body, signature);
    if (delivery === null) {
      await this.securityEvents.recordRejection({ kind: 'webhook-refused', detail: 'stripe', ipAddress });
      throw billingErrors.WEBHOOK_SIGNATURE();
    }
    await inTransaction(this.em.fork(), (em) => this.recordEvent(em, delivery));
  }

  /** Returns a delivery with a valid signature, or null. */
  private verifySignature(body: Buffer, signature: string): StripeDelivery | null {
    const secret = this.config.stripe.webhookSecret;
    if (secret === null) throw billingErrors.BILLING_NOT_CONFIGURED();
    try {
      const now = this.clock.now().getTime();
      const event = Stripe.webhooks.constructEvent(
        body,
        signature,
        secret,
        SIGNATURE_TOLERANCE_SECONDS,
        undefined,
        now,
      );
      return toDelivery(event);
    } catch {
      // The library throws if the signature is wrong or too old.
      return null;
    }
  }

  private async recordEvent(em: EntityManager, { id, type, customerId }: StripeDelivery): Promise<void> {
    const isRelevant = customerFieldByEvent[type] !== undefined;
    const userId = isRelevant && customerId !== null ? await this.accounts.findUserByCustomer(em, customerId) : null;
    const outcome: EventOutcome = !isRelevant ? 'unknown-type' : userId === null ? 'unknown-customer' : 'taken';
    const isNew = await this.events.insertEvent(em, { id, type, customerId, outcome });
    if (isNew && userId !== null) await this.jobs.enqueue(em, refreshSubscription, { userId });
  }
}

/** @throws Error for a signed body that is no event */
function toDelivery(event: Stripe.Event): StripeDelivery {
  const object = (event.data?.object ?? {}) as unknown as Record<string, unknown>;
  if (typeof event.id !== 'string' || typeof event.type !== 'string') throw new Error('This is no event.');
  const customer = object[customerFieldByEvent[event.type] ?? 'customer'];
  const id = typeof customer === 'object' && customer !== null ? (customer as { id?: unknown }).id : customer;
  return { id: event.id, type: event.type, customerId: typeof id === 'string' ? id.slice(0, 255) : null };
}
