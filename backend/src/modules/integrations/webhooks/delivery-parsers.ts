import type { ParsedDelivery } from '../shared/payload-fields.js';
import { parsePremiumEvent } from '../shared/parse-premium-event.js';
import { parseStripeEvent } from './parse-stripe-event.js';
import { parseOrder } from './parse-woocommerce-order.js';
import type { WebhookSource } from '../shared/sources.js';

/**
 * Parses a stored delivery.
 * @throws PayloadError
 */
export const deliveryParsers: Record<WebhookSource, (body: Buffer) => ParsedDelivery> = {
  woocommerce: parseOrder,
  acedumy: parsePremiumEvent,
  'stripe-acedumy': parseStripeEvent,
};
