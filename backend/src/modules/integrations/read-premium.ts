import {
  emailIn,
  finality,
  lineIn,
  Malformed,
  objectIn,
  parseObject,
  timeIn,
  type Customer,
  type Json,
  type Reading,
} from './reading.js';

const ADD = new Set(['subscription.created', 'subscription.activated']);
const REMOVE = new Set(['subscription.cancelled', 'subscription.expired']);

/**
 * Reads an event of the premium service.
 * @throws Malformed
 */
export function readPremium(body: Buffer): Reading {
  const event = parseObject(body);
  const subscriptionId = lineIn(event, 'subscriptionId');
  const kind = lineIn(event, 'event', 80) ?? '';
  const customer = customerOf(objectIn(event, 'customer'));
  const shown = {
    subscriptionId,
    customerEmail: customer?.email ?? null,
    customerName: lineIn(objectIn(event, 'customer'), 'name'),
  };
  if (!ADD.has(kind) && !REMOVE.has(kind)) return { shown, demand: null, note: 'NOTHING_TO_DO' };
  if (subscriptionId === null) throw new Malformed('no subscription id');
  const demand = {
    kind: ADD.has(kind) ? ('grant' as const) : ('revoke' as const),
    purchaseId: subscriptionId,
    occurredAt: timeIn(event, 'occurredAt'),
    finality: ADD.has(kind) ? finality.begun : finality.ended,
    items: [{ externalId: subscriptionId, productId: null }],
    customer,
  };
  return { shown, demand, note: null };
}

/** The service knows one name; it is split at its first space, as the settings do. */
export function customerOf(customer: Json): Customer | null {
  const email = emailIn(customer, 'email');
  if (email === null) return null;
  const [firstName, ...rest] = (lineIn(customer, 'name', 100) ?? '').split(/\s+/);
  const short = (name: string) => [...name].slice(0, 50).join('') || null;
  return { email, firstName: short(firstName ?? ''), lastName: short(rest.join(' ')) };
}
