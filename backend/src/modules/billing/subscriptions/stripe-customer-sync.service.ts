import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AfterCommit } from '../../../platform/events/on-event.decorator.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { User } from '../../auth/entities/user.entity.js';
import { StripeClientService } from '../stripe-client.service.js';
import { syncPaymentCollection, syncStripeEmail } from '../billing.jobs.js';
import { PaymentCollectionService } from './payment-collection.service.js';

/** The job is for customers alone. */
const toCustomerJob = ({ user }: { user: User }) => (user.stripeCustomerId ? { userId: user.id } : null);

/** Keeps customers at Stripe like their accounts. */
@Injectable()
export class StripeCustomerSyncService {
  constructor(
    private readonly em: EntityManager,
    private readonly stripe: StripeClientService,
    private readonly paymentCollection: PaymentCollectionService,
  ) {}

  /** The address of the moment in which it is told: two changes soon after each other end with the last. */
  @OnJob(syncStripeEmail)
  @AfterCommit('user.emailChanged', toCustomerJob)
  async syncEmail({ userId }: { userId: number }): Promise<void> {
    const user = await this.em.findOne(User, { id: userId, erasedAt: null });
    if (!user?.stripeCustomerId || !this.stripe.isConfigured) return;
    const { stripeCustomerId, email } = user;
    await this.stripe.call((stripe) => stripe.customers.update(stripeCustomerId, { email }));
  }

  /** Whoever is shut out does not pay meanwhile. */
  @OnJob(syncPaymentCollection)
  @AfterCommit('user.deactivated', toCustomerJob)
  @AfterCommit('user.activated', toCustomerJob)
  syncPaymentCollection({ userId }: { userId: number }): Promise<void> {
    return this.paymentCollection.syncCollection(userId);
  }
}
