import { Injectable } from '@nestjs/common';
import { AfterCommit } from '../../../platform/events/on-event.decorator.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { StripeClientService } from '../stripe-client.service.js';
import { syncPaymentCollection, syncStripeEmail } from '../billing.jobs.js';
import { PaymentCollectionService } from './payment-collection.service.js';

/** Only for users who are Stripe customers. */
const toCustomerJob = ({ user }: { user: User }) => (user.stripeCustomerId ? { userId: user.id } : null);

/** Keeps Stripe customers in sync with their accounts. */
@Injectable()
export class StripeCustomerSyncService {
  constructor(
    private readonly users: UserRepository,
    private readonly stripe: StripeClientService,
    private readonly paymentCollection: PaymentCollectionService,
  ) {}

  /** Reads the address at run time, so that the last of several quick changes wins. */
  @OnJob(syncStripeEmail)
  @AfterCommit('user.emailChanged', toCustomerJob)
  async syncEmail({ userId }: { userId: number }): Promise<void> {
    const user = await this.users.findUser(userId);
    if (!user?.stripeCustomerId || !this.stripe.isConfigured) return;
    const { stripeCustomerId, email } = user;
    await this.stripe.call((stripe) => stripe.customers.update(stripeCustomerId, { email }));
  }

  /** Users don't pay while their account is deactivated. */
  @OnJob(syncPaymentCollection)
  @AfterCommit('user.deactivated', toCustomerJob)
  @AfterCommit('user.activated', toCustomerJob)
  syncPaymentCollection({ userId }: { userId: number }): Promise<void> {
    return this.paymentCollection.syncCollection(userId);
  }
}
