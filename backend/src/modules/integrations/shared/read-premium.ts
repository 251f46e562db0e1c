import { cutText } from '../../../platform/text/graphemes.js';
import {
  emailIn,
  finality,
  keeping,
  lineIn,
  nameIn,
  neededLineIn,
  objectIn,
  parseObject,
  timeIn,
  type Customer,
  type Demand,
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
  return keeping(shown, () => ({ shown, demand: demandOf(event, ADD.has(kind), customer), note: null }));
}

function demandOf(event: Json, adds: boolean, customer: Customer | null): Demand {
  const externalId = neededLineIn(event, 'subscriptionId');
  return {
    kind: adds ? 'grant' : 'revoke',
    purchaseId: externalId,
    occurredAt: timeIn(event, 'occurredAt'),
    finality: adds ? finality.begun : finality.ended,
    items: [{ externalId, productId: null }],
    customer,
    emailField: 'customer.email',
  };
}

/** The service knows one name; it is split at its first space, as the settings do. */
export function customerOf(customer: Json): Customer | null {
  const email = emailIn(customer, 'email');
  if (email === null) return null;
  const [firstName, ...rest] = (nameIn(customer, 'name', 100) ?? '').split(/\s+/);
  const short = (name: string) => cutText(name, 50) || null;
  return { email, firstName: short(firstName ?? ''), lastName: short(rest.join(' ')) };
}
