import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { MINUTE } from '../../../platform/clock/clock.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { isResourceMissing, toPublicError, StripeClientService } from '../stripe-client.service.js';
import type { InvoiceDto } from './invoice.dto.js';

/** Two years of monthly invoices. */
const MAX_INVOICES = 24;
const INVOICE_LIMIT = { name: 'billing.invoices', limit: 30, window: MINUTE };
const visibleStatuses = freezeList(['paid', 'open', 'uncollectible', 'void']);

/** Reads users' invoices from Stripe; nothing is stored here. */
@Injectable()
export class InvoiceListService {
  constructor(
    private readonly users: UserRepository,
    private readonly limits: RateLimitService,
    private readonly stripe: StripeClientService,
  ) {}

  /**
   * Returns the newest 24 invoices without drafts; none for users who never were customers, or without Stripe
   * configured.
   * @throws BILLING_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async listInvoices(userId: number): Promise<InvoiceDto[]> {
    const { stripeCustomerId: customer } = await this.users.getUser(userId);
    if (!customer || !this.stripe.isConfigured) return [];
    await this.limits.consume(INVOICE_LIMIT, userId);
    try {
      const { data } = await this.stripe.call((stripe) => stripe.invoices.list({ customer, limit: MAX_INVOICES }));
      return data.flatMap(toInvoiceDtos);
    } catch (error) {
      if (isResourceMissing(error)) return [];
      throw toPublicError(error);
    }
  }
}

function toInvoiceDtos({
  id,
  number,
  created,
  total,
  currency,
  hosted_invoice_url: url,
  ...invoice
}: Stripe.Invoice): InvoiceDto[] {
  const status = visibleStatuses.find((visibleStatus) => visibleStatus === invoice.status);
  if (!status || !id) return [];
  return [
    {
      id,
      number: number ?? null,
      createdAt: new Date(created * 1000),
      amount: total,
      status,
      currency: currency.toUpperCase(),
      url: url?.startsWith('https://') ? url : null,
    },
  ];
}
