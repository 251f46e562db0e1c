import {
  emailIn,
  finality,
  lineIn,
  Malformed,
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
} from './reading.js';

const PAID = new Set(['processing', 'completed']);
const TAKEN_BACK = new Set(['refunded', 'cancelled']);

/**
 * Reads an order of the shop. Only the order's present status counts, not what kind of change was sent; a deleted
 * order sends its id alone.
 * @throws Malformed
 */
export function readOrder(body: Buffer): Reading {
  const order = parseObject(body);
  const orderId = lineIn(order, 'id', 64);
  if (orderId === null) throw new Malformed('no order id');
  const status = lineIn(order, 'status', 40);
  if (status === null || !(PAID.has(status) || TAKEN_BACK.has(status))) {
    return { shown: { orderId, ...shownOf(order) }, demand: null, note: 'NOTHING_TO_DO' };
  }
  const note = PAID.has(status) && objectsIn(order, 'refunds').length > 0 ? 'PARTIAL_REFUND' : null;
  return { shown: { orderId, ...shownOf(order) }, demand: demandOf(order, orderId, status), note };
}

function demandOf(order: Json, orderId: string, status: string): Demand {
  const kind = PAID.has(status) ? 'grant' : 'revoke';
  return {
    kind,
    purchaseId: orderId,
    occurredAt: timeIn(order, order.date_modified_gmt ? 'date_modified_gmt' : 'date_created_gmt'),
    finality: kind === 'grant' ? finality.begun : finality.ended,
    items: itemsOf(order, orderId),
    customer: customerOf(objectIn(order, 'billing')),
  };
}

function itemsOf(order: Json, orderId: string): Item[] {
  return objectsIn(order, 'line_items').map((line) => ({
    externalId: `${orderId}:${lineIn(line, 'id', 64) ?? ''}`,
    productId: lineIn(line, 'product_id', 64),
  }));
}

function customerOf(billing: Json): Customer | null {
  const email = emailIn(billing, 'email');
  if (email === null) return null;
  return { email, firstName: lineIn(billing, 'first_name', 50), lastName: lineIn(billing, 'last_name', 50) };
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
