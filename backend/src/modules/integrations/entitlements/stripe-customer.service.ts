import { Injectable } from '@nestjs/common';
import { isMissing, StripeClient } from '../../billing/stripe-client.service.js';
import { customerOf } from '../shared/read-premium.js';
import type { Customer } from '../shared/reading.js';
import type { Source } from '../shared/sources.js';

/** Stripe's events about subscriptions name the customer by an id alone. */
@Injectable()
export class StripeCustomerService {
  constructor(private readonly stripe: StripeClient) {}

  /**
   * Asks Stripe who a customer is. null when there is none, or when no key is configured.
   * @throws BILLING_UNAVAILABLE when Stripe cannot be reached: the delivery is tried again
   */
  async find(source: Source, customerId: string | null): Promise<Customer | null> {
    if (source !== 'stripe-acedumy' || customerId === null || !this.stripe.configured) return null;
    try {
      const found = await this.stripe.call((stripe) => stripe.customers.retrieve(customerId));
      return found.deleted ? null : customerOf({ email: found.email, name: found.name });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}
