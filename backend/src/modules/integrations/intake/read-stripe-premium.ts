import { customerOf } from '../shared/read-premium.js';
import {
  emailIn,
  finality,
  keeping,
  lacking,
  lineIn,
  neededLineIn,
  objectIn,
  objectsIn,
  parseObject,
  timeOf,
  type Customer,
  type Demand,
  type Json,
  type Reading,
} from '../shared/reading.js';

const CHANGES = new Set(['customer.subscription.created', 'customer.subscription.updated']);
const ENDED = 'customer.subscription.deleted';
const PAID = new Set(['active', 'trialing']);
/** States from which a subscription does not come back. */
const OVER = new Set(['canceled', 'incomplete_expired']);

/**
 * Reads an event of Stripe about a subscription to the premium service. Who pays stands in the event only when the
 * subscription carries it: as metadata (`email`, `name`), or as an expanded customer.
 * @throws Malformed
 */
export function readStripePremium(body: Buffer): Reading {
  const event = parseObject(body);
  const type = lineIn(event, 'type', 80) ?? '';
  const subscription = objectIn(objectIn(event, 'data'), 'object');
  const customer = payerOf(subscription);
  const shown = {
    ...idsOf(subscription),
    customerEmail: customer?.email ?? null,
    customerName: [customer?.firstName, customer?.lastName].filter(Boolean).join(' ') || null,
  };
  if (!CHANGES.has(type) && type !== ENDED) return { shown, demand: null, note: 'NOTHING_TO_DO' };
  return keeping(shown, () => ({ shown, demand: demandOf(event, type, customer), note: null }));
}

function demandOf(event: Json, type: string, customer: Customer | null): Demand {
  const subscription = objectIn(objectIn(event, 'data'), 'object');
  const externalId = neededLineIn(subscription, 'id', 255, 'data.object.id');
  if (typeof event.created !== 'number') throw lacking(event, 'created');
  const status = lineIn(subscription, 'status', 40) ?? '';
  const paid = type !== ENDED && PAID.has(status);
  const over = type === ENDED || OVER.has(status);
  return {
    kind: paid ? 'grant' : 'revoke',
    purchaseId: externalId,
    occurredAt: timeOf(new Date(event.created * 1000), 'created'),
    finality: over ? finality.ended : paid ? finality.begun : finality.notYet,
    items: [{ externalId, productId: null }],
    customer,
    emailField: 'data.object.customer.email',
    priceIds: pricesOf(subscription),
  };
}

function payerOf(subscription: Json) {
  const customer = objectIn(subscription, 'customer');
  const holder = emailIn(customer, 'email') === null ? objectIn(subscription, 'metadata') : customer;
  return customerOf(holder);
}

const pricesOf = (subscription: Json): string[] =>
  objectsIn(objectIn(subscription, 'items'), 'data').flatMap((item) => lineIn(objectIn(item, 'price'), 'id') ?? []);

const idsOf = (subscription: Json) => ({
  subscriptionId: lineIn(subscription, 'id'),
  customerId: lineIn(subscription, 'customer') ?? lineIn(objectIn(subscription, 'customer'), 'id'),
  priceId: pricesOf(subscription)[0] ?? null,
});
