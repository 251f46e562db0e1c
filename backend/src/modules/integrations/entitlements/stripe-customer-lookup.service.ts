import { Injectable } from '@nestjs/common';
import { isResourceMissing, StripeClientService } from '../../billing/stripe-client.service.js';
import { toCustomer } from '../shared/parse-premium-event.js';
import type { Customer } from '../shared/payload-fields.js';
import type { WebhookSource } from '../shared/sources.js';

/** Stripe's events about subscriptions name the customer by an id alone. */
@Injectable()
export class StripeCustomerLookupService {
  constructor(private readonly stripe: StripeClientService) {}

  /**
   * Asks Stripe who a customer is. null when there is none, or when no key is configured.
   * @throws BILLING_UNAVAILABLE when Stripe cannot be reached: the delivery is tried again
   */
  async findCustomer(source: WebhookSource, customerId: string | null): Promise<Customer | null> {
    if (source !== 'stripe-acedumy' || customerId === null || !this.stripe.isConfigured) return null;
    try {
      const found = await this.stripe.call((stripe) => stripe.customers.retrieve(customerId));
      return found.deleted ? null : toCustomer({ email: found.email, name: found.name });
    } catch (error) {
      if (isResourceMissing(error)) return null;
      throw error;
    }
  }
}
