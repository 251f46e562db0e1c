import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, HOUR } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { UserSchema, type User } from '../auth/entities/user.entity.js';
import { BillingAccountSchema } from './entities/billing-account.entity.js';
import { StripeClientService } from './stripe-client.service.js';

type Tables = typeof UserSchema | typeof BillingAccountSchema;

/** Links users to Stripe customers. */
@Injectable()
export class StripeCustomerAccountService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly stripe: StripeClientService,
  ) {}

  /** Ensures that the user has a billing account row. */
  async ensureBillingAccount(userId: number): Promise<void> {
    await query<Tables>(this.em)
      .insertInto('billing_accounts')
      .values({ user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

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
    const rows = query<Tables>(this.em);
    const account = await rows
      .selectFrom('billing_accounts')
      .select('customers_made as made')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
    // Includes a key of this installation: two installations that share a Stripe account must not share customers.
    const hour = String(Math.floor(this.clock.now().getTime() / HOUR));
    const idempotencyDigest = this.config.keys
      .forPurpose('stripe-customer')
      .digest(String(id), String(account.made), hour);
    const { id: customerId } = await this.stripe.call((stripe) =>
      stripe.customers.create(
        { email, metadata: { userId: String(id) } },
        { idempotencyKey: `zonary-customer-${idempotencyDigest.slice(0, 40)}` },
      ),
    );
    await rows
      .updateTable('users')
      .set({ stripe_customer_id: customerId })
      .where('id', '=', id)
      .where('stripe_customer_id', 'is', null)
      .where('erased_at', 'is', null)
      .execute();
    const stored = await rows
      .selectFrom('users')
      .select('stripe_customer_id as customerId')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!stored?.customerId) throw commonErrors.NOT_SIGNED_IN();
    return stored.customerId;
  }
}
