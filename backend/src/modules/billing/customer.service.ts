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

/** Who somebody is at Stripe. */
@Injectable()
export class StripeCustomerAccountService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly stripe: StripeClientService,
  ) {}

  /** Makes sure that billing has a row of the person. */
  async ensureBillingAccount(userId: number): Promise<void> {
    await query<Tables>(this.em)
      .insertInto('billing_accounts')
      .values({ user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /**
   * The customer of a person, made when there is none. Made once: parallel and repeated calls carry the same
   * idempotency key, and the first to come back is kept. The key changes each hour, because Stripe repeats a failure
   * under the same key for a day; a customer that was made and whose answer was lost then stays unused.
   * @param user with a row of billing
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
    // Two installations that share a Stripe account must not share customers.
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
