import { createHmac, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import type { World } from './world.js';

export const WEBHOOK_SECRETS = {
  WOOCOMMERCE_WEBHOOK_SECRET: 'the secret of the shop',
  ACEDUMY_WEBHOOK_SECRET: 'the secret of the premium service',
  STRIPE_ACEDUMY_WEBHOOK_SECRET: 'whsec_premium_by_stripe',
};

interface OrderOptions {
  readonly id: number;
  readonly email: string | null;
  readonly status?: string;
  readonly products?: readonly number[];
  /** Time of the last change, without a time zone, as WooCommerce writes it. */
  readonly modified?: string;
  readonly refunds?: readonly object[];
  /** Total of the order, as WooCommerce writes it. */
  readonly total?: string;
}

/** A WooCommerce order with the fields that matter. */
export function buildOrder(options: OrderOptions) {
  const { id, email, status = 'completed', products = [71], modified, refunds = [], total = '40.10' } = options;
  return {
    id,
    status,
    total,
    date_created_gmt: '2026-11-01T10:00:00',
    date_modified_gmt: modified ?? '2026-11-01T10:05:00',
    billing: { first_name: 'Nur', last_name: 'Ak', email, phone: '+90 555 000 00 00', address_1: 'Sample street 5' },
    line_items: products.map((product, index) => ({
      id: id * 10 + index,
      name: `Product ${product}`,
      product_id: product,
    })),
    refunds,
  };
}

/** A webhook of the premium service. */
export const buildPremiumEvent = (
  event: string,
  email: string,
  options: { subscriptionId: string; occurredAt?: string },
) => ({
  event,
  customer: { email, name: 'Nur Ak' },
  occurredAt: '2026-11-01T10:00:00Z',
  ...options,
});

/** A Stripe webhook about a subscription to the premium service. */
export function buildStripeEvent(type: string, subscription: object, created = 1_793_000_000) {
  const items = { data: [{ price: { id: 'price_premium_monthly_usd' } }] };
  return {
    id: `evt_${randomUUID()}`,
    type,
    created,
    data: { object: { object: 'subscription', customer: 'cus_premium', items, metadata: {}, ...subscription } },
  };
}

type Headers = Record<string, string>;

/** Sends a body with its sender's headers; signed by default. */
export const sendWebhook = {
  woocommerce(world: World, body: object, headers: Headers = {}) {
    const text = JSON.stringify(body);
    const signature = createHmac('sha256', WEBHOOK_SECRETS.WOOCOMMERCE_WEBHOOK_SECRET).update(text).digest('base64');
    return postWebhook(world, 'woocommerce', text, {
      'X-WC-Webhook-Signature': signature,
      'X-WC-Webhook-Topic': 'order.updated',
      'X-WC-Webhook-Delivery-ID': randomUUID(),
      ...headers,
    });
  },
  /** @param body a string if its bytes matter */
  acedumy(world: World, body: object | string, headers: Headers = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const signature = createHmac('sha256', WEBHOOK_SECRETS.ACEDUMY_WEBHOOK_SECRET).update(text).digest('hex');
    return postWebhook(world, 'acedumy', text, { 'X-AcEdumy-Signature': signature, ...headers });
  },
  stripeAcedumy(world: World, body: object, { timestamp, ...headers }: Headers & { timestamp?: string } = {}) {
    const payload = JSON.stringify(body);
    const secret = WEBHOOK_SECRETS.STRIPE_ACEDUMY_WEBHOOK_SECRET;
    const at = timestamp === undefined ? {} : { timestamp: Number(timestamp) };
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, ...at });
    return postWebhook(world, 'stripe-acedumy', payload, { 'Stripe-Signature': signature, ...headers });
  },
};

function postWebhook(world: World, source: string, body: string, headers: Headers) {
  const request = world.createClient().post(`/api/webhooks/${source}`).unset('Sec-Fetch-Site');
  return request.set('Content-Type', 'application/json').set(headers).send(body);
}
