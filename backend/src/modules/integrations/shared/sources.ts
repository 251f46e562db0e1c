import { freezeList } from '../../../platform/constants/freeze-list.js';

/** Senders of deliveries: a shop, the premium service, and Stripe for the premium service. */
export const webhookSources = freezeList(['woocommerce', 'acedumy', 'stripe-acedumy']);
export type WebhookSource = (typeof webhookSources)[number];

/** Display names for emails. */
export const sourceNames: Record<WebhookSource, string> = {
  woocommerce: 'WooCommerce',
  acedumy: 'AcEdumy',
  'stripe-acedumy': 'Stripe (AcEdumy)',
};

/** What an operator has to configure at the sender and here. */
export interface WebhookSourceInfo {
  /** Relative to APP_URL. */
  readonly path: string;
  readonly signatureHeader: string;
  /** Name of the variable with the secret; the secret itself is never shown. */
  readonly secretVariable: string;
  readonly events: readonly string[];
}

export const webhookSourceInfo: Record<WebhookSource, WebhookSourceInfo> = {
  woocommerce: {
    path: '/api/webhooks/woocommerce',
    signatureHeader: 'X-WC-Webhook-Signature',
    secretVariable: 'WOOCOMMERCE_WEBHOOK_SECRET',
    events: ['order.created', 'order.updated', 'order.deleted', 'order.restored'],
  },
  acedumy: {
    path: '/api/webhooks/acedumy',
    signatureHeader: 'X-AcEdumy-Signature',
    secretVariable: 'ACEDUMY_WEBHOOK_SECRET',
    events: ['subscription.created', 'subscription.activated', 'subscription.cancelled', 'subscription.expired'],
  },
  'stripe-acedumy': {
    path: '/api/webhooks/stripe-acedumy',
    signatureHeader: 'Stripe-Signature',
    secretVariable: 'STRIPE_ACEDUMY_WEBHOOK_SECRET',
    events: ['customer.subscription.created', 'customer.subscription.updated', 'customer.subscription.deleted'],
  },
};
