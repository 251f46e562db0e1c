import type { Reading } from '../shared/reading.js';
import { readPremium } from '../shared/read-premium.js';
import { readStripePremium } from './read-stripe-premium.js';
import { readOrder } from './read-woocommerce.js';
import type { Source } from '../shared/sources.js';

/**
 * Reads a stored delivery.
 * @throws Malformed
 */
export const readDelivery: Record<Source, (body: Buffer) => Reading> = {
  woocommerce: readOrder,
  acedumy: readPremium,
  'stripe-acedumy': readStripePremium,
};
