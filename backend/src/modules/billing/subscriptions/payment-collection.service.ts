import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { BillingAccountRepository } from '../billing-account.repository.js';
import { isLive } from '../billing.policy.js';
import { isResourceMissing, StripeClientService } from '../stripe-client.service.js';

/** The desired state at Stripe: payments are collected or paused, or the customer is deleted. */
type TargetState = { readonly customer: string; readonly state: 'collect' | 'pause' | 'end' };

/** Applies the state of an account to its subscription at Stripe. */
@Injectable()
export class PaymentCollectionService {
  constructor(
    private readonly accounts: BillingAccountRepository,
    private readonly stripe: StripeClientService,
  ) {}

  /**
   * Brings Stripe to the account's current state. Afterwards the account is read again, and if it has changed in the
   * meantime, the step is repeated, so that concurrent runs don't leave Stripe with an outdated state.
   * @throws BILLING_NOT_CONFIGURED, BILLING_UNAVAILABLE
   */
  async syncCollection(userId: number): Promise<void> {
    for (let target = await this.getTargetState(userId); target;) {
      await this.applyTargetState(target);
      const current = await this.getTargetState(userId);
      if (current?.state === target.state && current.customer === target.customer) return;
      target = current;
    }
  }

  private async getTargetState(userId: number): Promise<TargetState | null> {
    const customerState = await this.accounts.findCustomerState(userId);
    if (!customerState) return null;
    const { customer, isErased, isDeactivated } = customerState;
    return { customer, state: isErased ? 'end' : isDeactivated ? 'pause' : 'collect' };
  }

  private async applyTargetState({ customer, state }: TargetState): Promise<void> {
    try {
      if (state === 'end') return await this.deleteCustomer(customer);
      const { data } = await this.stripe.call((stripe) =>
        stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
      );
      const pause = state === 'pause';
      for (const subscription of data.filter((item) => isLive(item) && (item.pause_collection !== null) !== pause)) {
        await this.setPaused(subscription, pause);
      }
    } catch (error) {
      if (!isResourceMissing(error)) throw error;
    }
  }

  /** While paused, invoices are voided: nobody pays for the time during which they are locked out. */
  private async setPaused({ id, status }: Stripe.Subscription, pause: boolean): Promise<void> {
    if (status === 'incomplete') return;
    const pause_collection = pause ? { behavior: 'void' as const } : ('' as const);
    await this.stripe.call((stripe) => stripe.subscriptions.update(id, { pause_collection }));
  }

  /** Deleting the customer ends its subscriptions at once, and Stripe deletes name, address and card. */
  private async deleteCustomer(customer: string): Promise<void> {
    const customerRecord = await this.stripe.call((stripe) => stripe.customers.retrieve(customer));
    if (customerRecord.deleted) return;
    await this.stripe.call((stripe) => stripe.customers.del(customer));
  }
}
