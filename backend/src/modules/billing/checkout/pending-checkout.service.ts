import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, HOUR, SECOND } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { BillingAccountSchema } from '../entities/billing-account.entity.js';
import { StripeClientService } from '../stripe-client.service.js';
import { SubscriptionSyncService } from '../subscriptions/subscription-sync.service.js';

/** A checkout lives for one hour; this also covers payments in its last moment. */
const PENDING_LIFETIME = 2 * HOUR;
/** Minimum interval between two requests to Stripe per user. */
const MIN_POLL_INTERVAL = 5 * SECOND;

/**
 * Users who were sent to a checkout and whose subscription is not stored yet, because they return before Stripe's event
 * arrives.
 */
@Injectable()
export class PendingCheckoutService {
  private readonly logger = new Logger('Billing');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly stripe: StripeClientService,
    private readonly subscriptionSync: SubscriptionSyncService,
  ) {}

  /** Records that a user is sent to a checkout. */
  async markPending(userId: number): Promise<void> {
    await query<typeof BillingAccountSchema>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_sent_at: this.clock.now(), checkout_asked_at: null })
      .where('user_id', '=', userId)
      .execute();
  }

  /**
   * Reads the user's subscription from Stripe while a checkout is pending, at most every five seconds. Once a
   * subscription has been read, here or after an event, the checkout is no longer pending (`SubscriptionSyncService`).
   * If Stripe can't be reached, the stored state stays: the event arrives later.
   */
  async refreshIfPending(userId: number): Promise<void> {
    if (!this.stripe.isConfigured || !(await this.tryAcquirePoll(userId))) return;
    try {
      await this.subscriptionSync.refreshSubscription(userId);
    } catch (error) {
      this.logger.warn({ err: error, userId }, "Couldn't read the subscription of a pending checkout.");
    }
  }

  private async tryAcquirePoll(userId: number): Promise<boolean> {
    const now = this.clock.now();
    const updated = await query<typeof BillingAccountSchema>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_asked_at: now })
      .where('user_id', '=', userId)
      .where('checkout_sent_at', '>', addMilliseconds(now, -PENDING_LIFETIME))
      .where((where) =>
        where.or([
          where('checkout_asked_at', 'is', null),
          where('checkout_asked_at', '<=', addMilliseconds(now, -MIN_POLL_INTERVAL)),
        ]),
      )
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }
}
