import type { Page } from '@playwright/test';
import { createHmac, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { expect } from './test.ts';

/** Webhook secrets shared by the tests and the product they start. */
export const webhookSecrets = {
  WOOCOMMERCE_WEBHOOK_SECRET: 'the secret of the shop',
  ACEDUMY_WEBHOOK_SECRET: 'the secret of the premium service',
  STRIPE_ACEDUMY_WEBHOOK_SECRET: 'whsec_premium_by_stripe',
  STRIPE_ACEDUMY_PRICE_YEARLY_TRY: 'price_premium_yearly_try',
  // Id of the first zone of the installation, which is created before the tests.
  ACEDUMY_ZONE_ID: '1',
};

interface OrderOptions {
  id: number;
  email: string;
  productId: number;
  /** Refunded a day after completion; completed by default. */
  status?: 'completed' | 'refunded';
}

/** Sends a WooCommerce order, signed with the shop's secret unless another is given. Returns the response's status. */
export async function sendOrder(
  page: Page,
  { id, email, productId, status = 'completed' }: OrderOptions,
  secret = webhookSecrets.WOOCOMMERCE_WEBHOOK_SECRET,
): Promise<number> {
  const body = JSON.stringify({
    id,
    status,
    date_created_gmt: '2026-11-01T10:00:00',
    date_modified_gmt: status === 'completed' ? '2026-11-01T10:05:00' : '2026-11-02T10:05:00',
    billing: { first_name: 'Nur', last_name: 'Ak', email, phone: '+90 555 000 00 00' },
    line_items: [{ id: id * 10, name: 'Watercolour course', product_id: productId }],
    refunds: [],
  });
  const response = await page.request.post('/api/webhooks/woocommerce', {
    data: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.updated',
      'x-wc-webhook-delivery-id': randomUUID(),
      'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
    },
  });
  return response.status();
}

/** Sends a subscription event of the premium service; the subscription expires a month after its creation. */
export async function sendSubscription(
  page: Page,
  subscriptionId: string,
  email: string,
  event: 'subscription.created' | 'subscription.expired' = 'subscription.created',
): Promise<void> {
  const customer = { email, name: 'Nur Ak' };
  const occurredAt = event === 'subscription.created' ? '2026-11-01T10:00:00Z' : '2026-12-01T10:00:00Z';
  const body = JSON.stringify({ event, subscriptionId, customer, occurredAt });
  const response = await page.request.post('/api/webhooks/acedumy', {
    data: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'x-acedumy-signature': createHmac('sha256', webhookSecrets.ACEDUMY_WEBHOOK_SECRET).update(body).digest('hex'),
    },
  });
  expect(response.status()).toBe(200);
}

interface StripeSubscriptionOptions {
  subscriptionId: string;
  /** Null if the subscription carries no email address. */
  email: string | null;
  type?: 'created' | 'deleted';
}

/** Sends Stripe's event that a subscription to the premium service was paid, or ended. */
export async function sendStripeSubscription(
  page: Page,
  { subscriptionId, email, type = 'created' }: StripeSubscriptionOptions,
): Promise<void> {
  const items = { data: [{ price: { id: webhookSecrets.STRIPE_ACEDUMY_PRICE_YEARLY_TRY } }] };
  const status = type === 'created' ? 'active' : 'canceled';
  const metadata = email === null ? {} : { email, name: 'Nur Ak' };
  const subscription = { id: subscriptionId, object: 'subscription', status, customer: 'cus_nobody', items, metadata };
  const created = Math.floor(Date.now() / 1000);
  const event = {
    id: `evt_${randomUUID()}`,
    type: `customer.subscription.${type}`,
    created,
    data: { object: subscription },
  };
  const payload = JSON.stringify(event);
  const secret = webhookSecrets.STRIPE_ACEDUMY_WEBHOOK_SECRET;
  const response = await page.request.post('/api/webhooks/stripe-acedumy', {
    data: Buffer.from(payload),
    headers: {
      'content-type': 'application/json',
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    },
  });
  expect(response.status()).toBe(200);
}
