import { Injectable } from '@nestjs/common';
import { Clock, HOUR } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import type { User } from '../auth/entities/user.entity.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { StripeClientService } from './stripe-client.service.js';

/** Links users to Stripe customers. */
@Injectable()
export class StripeCustomerService {
  constructor(
    private readonly accounts: BillingAccountRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly stripe: StripeClientService,
  ) {}

  /**
   * Returns the user's customer id and creates the customer if needed. Concurrent and repeated calls create only one:
   * they share an idempotency key, and the first response is stored. The key changes every hour, because Stripe repeats
   * a failure under the same key for a day. A customer whose creation response was lost then stays unused.
   * @param user with a billing account row
   */
  async ensureCustomer({
    id,
    email,
    stripeCustomerId,
  }: Pick<User, 'id' | 'email' | 'stripeCustomerId'>): Promise<string> {
    if (stripeCustomerId) return stripeCustomerId;
    const deletedCount = await this.accounts.countDeletedCustomers(id);
    // Includes a key of this installation: two installations that share a Stripe account must not share customers.
    const hour = String(Math.floor(this.clock.now().getTime() / HOUR));
    const idempotencyDigest = this.config.keys
      .forPurpose('stripe-customer')
      .digest(String(id), String(deletedCount), hour);
    const { id: customerId } = await this.stripe.call((stripe) =>
      stripe.customers.create(
        { email, metadata: { userId: String(id) } },
        { idempotencyKey: `zonary-customer-${idempotencyDigest.slice(0, 40)}` },
      ),
    );
    await this.accounts.setCustomerIdOnce(id, customerId);
    const stored = await this.accounts.findCustomerId(id);
    if (!stored) throw commonErrors.NOT_SIGNED_IN();
    return stored;
  }
}
