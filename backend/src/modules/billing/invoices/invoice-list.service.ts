import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import { MINUTE } from '../../../platform/clock/clock.js';
import { RateLimits } from '../../../platform/http/limits/rate-limits.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { isMissing, refusal, StripeClient } from '../stripe-client.service.js';
import type { InvoiceDto } from './invoice.dto.js';

/** Two years of months. */
const MOST = 24;
const tries = { name: 'billing.invoices', limit: 30, window: MINUTE };
const shown = catalogue(['paid', 'open', 'uncollectible', 'void']);

/** What people were charged, as Stripe has it; nothing of it is kept here. */
@Injectable()
export class InvoiceList {
  constructor(
    private readonly em: EntityManager,
    private readonly limits: RateLimits,
    private readonly stripe: StripeClient,
  ) {}

  /**
   * The newest 24, without drafts; none for who never was a customer, or where nothing is sold.
   * @throws BILLING_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async of(userId: number): Promise<InvoiceDto[]> {
    const { stripeCustomerId: customer } = await this.em.fork().findOneOrFail(User, { id: userId });
    if (!customer || !this.stripe.configured) return [];
    await this.limits.spend(tries, userId);
    try {
      const { data } = await this.stripe.call((stripe) => stripe.invoices.list({ customer, limit: MOST }));
      return data.flatMap(invoiceOf);
    } catch (error) {
      if (isMissing(error)) return [];
      throw refusal(error);
    }
  }
}

function invoiceOf({
  id,
  number,
  created,
  total,
  currency,
  hosted_invoice_url: url,
  ...invoice
}: Stripe.Invoice): InvoiceDto[] {
  const status = shown.find((one) => one === invoice.status);
  if (!status || !id) return [];
  return [
    {
      ...{ id, number: number ?? null, createdAt: new Date(created * 1000), amount: total, status },
      ...{ currency: currency.toUpperCase(), url: url?.startsWith('https://') ? url : null },
    },
  ];
}
