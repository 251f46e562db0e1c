import { Injectable, Logger } from '@nestjs/common';
import { HOUR, SECOND } from '../../../platform/clock/clock.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
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
    private readonly accounts: BillingAccountRepository,
    private readonly stripe: StripeClientService,
    private readonly subscriptionSync: SubscriptionSyncService,
  ) {}

  /**
   * Reads the user's subscription from Stripe while a checkout is pending, at most every five seconds. Once a
   * subscription has been read, here or after an event, the checkout is no longer pending (`SubscriptionSyncService`).
   * If Stripe can't be reached, the stored state stays: the event arrives later.
   */
  async refreshIfPending(userId: number): Promise<void> {
    if (!this.stripe.isConfigured) return;
    const limits = { lifetime: PENDING_LIFETIME, minInterval: MIN_POLL_INTERVAL };
    if (!(await this.accounts.tryAcquireCheckoutPoll(userId, limits))) return;
    try {
      await this.subscriptionSync.refreshSubscription(userId);
    } catch (error) {
      this.logger.warn({ err: error, userId }, "Couldn't read the subscription of a pending checkout.");
    }
  }
}
