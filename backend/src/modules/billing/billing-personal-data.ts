import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import {
  inBatches,
  PersonalDataPort,
  type ErasedPerson,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../auth/personal-data.port.js';
import { CollectionService } from './collection.service.js';
import { BillingAccountSchema } from './entities/billing-account.entity.js';
import { StripeEventSchema } from './entities/stripe-event.entity.js';

type Tables = typeof UserSchema | typeof BillingAccountSchema | typeof StripeEventSchema;

/** The subscription of a person, here and at Stripe. */
@Injectable()
export class BillingPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
    private readonly collection: CollectionService,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id }: Person): Record<string, Rows> {
    return {
      billing: inBatches(() =>
        query<Tables>(em)
          .selectFrom('billing_accounts')
          .innerJoin('users', 'users.id', 'billing_accounts.user_id')
          .select(['stripe_customer_id as stripeCustomerId', 'stripe_subscription_id as stripeSubscriptionId'])
          .select(['subscription_status as subscriptionStatus', 'interval', 'paused'])
          .select(['cancel_at_period_end as cancelAtPeriodEnd', 'current_period_end as currentPeriodEnd'])
          .select('past_due_since as pastDueSince')
          .where('user_id', '=', id)
          .execute(),
      ),
    };
  }

  /** Ends the subscription first: a failure there is thrown, so that nobody goes on paying for an account that is gone. */
  async erase({ id }: ErasedPerson): Promise<ErasureState> {
    await this.collection.align(id);
    await query<Tables>(this.em.fork())
      .deleteFrom('stripe_events')
      .where('customer_id', 'in', (row) => row.selectFrom('users').select('stripe_customer_id').where('id', '=', id))
      .execute();
    return 'done';
  }
}
