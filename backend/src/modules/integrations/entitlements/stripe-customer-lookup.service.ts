import { Injectable } from '@nestjs/common';
import { isResourceMissing, StripeClientService } from '../../billing/stripe-client.service.js';
import { toCustomer } from '../shared/parse-premium-event.js';
import type { Customer } from '../shared/payload-fields.js';
import type { WebhookSource } from '../shared/sources.js';

/** Looks up customers at Stripe, whose subscription events contain only the customer's id. */
@Injectable()
export class StripeCustomerLookupService {
  constructor(private readonly stripe: StripeClientService) {}

  /**
   * Returns a Stripe customer; null when there is none or no key is configured.
   * @throws BILLING_UNAVAILABLE when Stripe can't be reached; the delivery is retried
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
