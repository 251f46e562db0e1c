import {
  emailIn,
  finality,
  isMissing,
  lacking,
  keeping,
  lineIn,
  nameIn,
  neededLineIn,
  objectIn,
  objectsIn,
  parseObject,
  timeIn,
  type Customer,
  type Demand,
  type Item,
  type Json,
  type Reading,
  type Shown,
} from '../shared/reading.js';

const PAID = new Set(['processing', 'completed']);
const TAKEN_BACK = new Set(['refunded', 'cancelled']);

/**
 * Reads an order of the shop. Only the order's present status counts, not what kind of change was sent; a deleted
 * order sends its id alone.
 * @throws Malformed
 */
export function readOrder(body: Buffer): Reading {
  const order = parseObject(body);
  const orderId = neededLineIn(order, 'id', 64);
  const shown = { orderId, ...shownOf(order) };
  const status = lineIn(order, 'status', 40);
  if (status === null || !(PAID.has(status) || TAKEN_BACK.has(status))) {
    return { shown, demand: null, note: 'NOTHING_TO_DO' };
  }
  const note = PAID.has(status) && objectsIn(order, 'refunds').length > 0 ? 'PARTIAL_REFUND' : null;
  return keeping(shown, () => ({ shown, demand: demandOf(order, orderId, status), note }));
}

function demandOf(order: Json, orderId: string, status: string): Demand {
  const kind = PAID.has(status) ? 'grant' : 'revoke';
  if (kind === 'grant') needProducts(order);
  return {
    kind,
    purchaseId: orderId,
    occurredAt: changedAt(order),
    finality: kind === 'grant' ? finality.begun : finality.ended,
    items: itemsOf(order, orderId),
    customer: customerOf(objectIn(order, 'billing')),
    emailField: 'billing.email',
  };
}

/** When the order was last changed; null for one that carries no dates, as extensions of the shop make them. */
function changedAt(order: Json): Date | null {
  const key = ['date_modified_gmt', 'date_created_gmt'].find((name) => !isMissing(order, name));
  return key === undefined ? null : timeIn(order, key);
}

function itemsOf(order: Json, orderId: string): Item[] {
  return objectsIn(order, 'line_items').map((line) => ({
    externalId: `${orderId}:${lineIn(line, 'id', 64) ?? ''}`,
    productId: lineIn(line, 'product_id', 64),
  }));
}

/** @throws Malformed when an order does not say what was bought: it would open nothing, and nobody would know why */
function needProducts(order: Json): void {
  if (!Array.isArray(order.line_items)) throw lacking(order, 'line_items');
  for (const line of objectsIn(order, 'line_items')) neededLineIn(line, 'product_id', 64, 'line_items.product_id');
}

function customerOf(billing: Json): Customer | null {
  const email = emailIn(billing, 'email');
  if (email === null) return null;
  return { email, firstName: nameIn(billing, 'first_name', 50), lastName: nameIn(billing, 'last_name', 50) };
}

function shownOf(order: Json): Shown {
  const billing = objectIn(order, 'billing');
  const lines = objectsIn(order, 'line_items');
  const joined = (key: string) => {
    const values = lines.map((line) => lineIn(line, key)).filter((value) => value !== null);
    return [...values.join(', ')].slice(0, 255).join('') || null;
  };
  const name = [lineIn(billing, 'first_name'), lineIn(billing, 'last_name')].filter((part) => part !== null).join(' ');
  return {
    productId: joined('product_id'),
    productName: joined('name'),
    customerEmail: emailIn(billing, 'email'),
    customerName: [...name].slice(0, 255).join('') || null,
  };
}
