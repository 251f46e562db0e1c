import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, HOUR, SECOND } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { BillingAccountSchema } from '../entities/billing-account.entity.js';
import { StripeClientService } from '../stripe-client.service.js';
import { SubscriptionSyncService } from '../subscriptions/subscription-sync.service.js';

/** A checkout lives for an hour; what was paid in its last moment is asked for a little longer. */
const PENDING_LIFETIME = 2 * HOUR;
/** The least time between two questions for one person. */
const MIN_POLL_INTERVAL = 5 * SECOND;

/** People who were sent to a checkout and whose subscription isn't known here yet, because the event of Stripe comes later than they do. */
@Injectable()
export class PendingCheckoutService {
  private readonly logger = new Logger('Billing');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly stripe: StripeClientService,
    private readonly subscriptionSync: SubscriptionSyncService,
  ) {}

  /** Notes that somebody is sent to a checkout. */
  async markPending(userId: number): Promise<void> {
    await query<typeof BillingAccountSchema>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_sent_at: this.clock.now(), checkout_asked_at: null })
      .where('user_id', '=', userId)
      .execute();
  }

  /**
   * Reads the subscription of somebody from Stripe while a checkout of theirs is awaited, once in five seconds at most. A
   * subscription that is read, here or by an event, ends that (`SubscriptionSyncService`). When Stripe can't be asked, what is stored stands: its event comes later.
   */
  async refreshIfPending(userId: number): Promise<void> {
    if (!this.stripe.isConfigured || !(await this.tryAcquirePoll(userId))) return;
    try {
      await this.subscriptionSync.refreshSubscription(userId);
    } catch (error) {
      this.logger.warn({ err: error, userId }, 'The subscription of an awaited checkout could not be read.');
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
