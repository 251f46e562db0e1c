import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AfterCommit } from '../../../platform/events/on-event.decorator.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { User } from '../../auth/entities/user.entity.js';
import { StripeClient } from '../stripe-client.service.js';
import { alignCollection, tellStripeAddress } from '../billing.jobs.js';
import { CollectionService } from './collection.service.js';

/** The job is for customers alone. */
const customerOf = ({ user }: { user: User }) => (user.stripeCustomerId ? { userId: user.id } : null);

/** Keeps customers at Stripe like their accounts. */
@Injectable()
export class StripeCustomerFollower {
  constructor(
    private readonly em: EntityManager,
    private readonly stripe: StripeClient,
    private readonly collection: CollectionService,
  ) {}

  /** The address of the moment in which it is told: two changes soon after each other end with the last. */
  @OnJob(tellStripeAddress)
  @AfterCommit('user.emailChanged', customerOf)
  async tellAddress({ userId }: { userId: number }): Promise<void> {
    const user = await this.em.findOne(User, { id: userId, erasedAt: null });
    if (!user?.stripeCustomerId || !this.stripe.configured) return;
    const { stripeCustomerId, email } = user;
    await this.stripe.call((stripe) => stripe.customers.update(stripeCustomerId, { email }));
  }

  /** Whoever is shut out does not pay meanwhile. */
  @OnJob(alignCollection)
  @AfterCommit('user.deactivated', customerOf)
  @AfterCommit('user.activated', customerOf)
  align({ userId }: { userId: number }): Promise<void> {
    return this.collection.align(userId);
  }
}
