import { cutText } from '../../../platform/text/graphemes.js';
import type { OutcomeCode } from '../integrations.errors.js';
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

interface StatusRule {
  readonly kind: Demand['kind'];
  /** Of two changes in one second the more final one counts. */
  readonly finality: number;
  readonly note: OutcomeCode | null;
}

const paid: StatusRule = { kind: 'grant', finality: finality.begun, note: null };
const ended: StatusRule = { kind: 'revoke', finality: finality.ended, note: null };
const fullRefund: StatusRule = { kind: 'revoke', finality: finality.ended, note: 'FULL_REFUND' };
const unpaid: StatusRule = { kind: 'review', finality: finality.notYet, note: 'ORDER_UNPAID' };
const deleted: StatusRule = { kind: 'review', finality: finality.ended, note: 'ORDER_DELETED' };

/**
 * What each status of an order asks for; docs/integrations.md has the table with the reasons. The statuses are those of
 * WooCommerce (https://woocommerce.com/document/managing-orders/order-statuses/).
 */
const rules: ReadonlyMap<string, StatusRule> = new Map<string, StatusRule>([
  ['processing', paid],
  ['completed', paid],
  ['refunded', ended],
  ['cancelled', ended],
  ['failed', { kind: 'revoke', finality: finality.notYet, note: 'PAYMENT_FAILED' }],
  ['on-hold', { kind: 'review', finality: finality.notYet, note: 'ORDER_ON_HOLD' }],
  ['pending', unpaid],
  ['draft', unpaid],
  ['auto-draft', unpaid],
  ['checkout-draft', unpaid],
  ['trash', deleted],
]);

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
  const rule = ruleOf(order, status);
  if (!rule) {
    const isNamed = status !== null;
    return { shown, demand: null, note: isNamed ? 'UNKNOWN_STATUS' : 'NOTHING_TO_DO', field: status };
  }
  const isPartial = rule.kind === 'grant' && objectsIn(order, 'refunds').length > 0;
  const note = isPartial ? 'PARTIAL_REFUND' : rule.note;
  return keeping(shown, () => ({ shown, demand: demandOf(order, orderId, rule), note }));
}

function ruleOf(order: Json, status: string | null): StatusRule | undefined {
  if (status === null) return Object.keys(order).length === 1 ? deleted : undefined;
  // Plugins write the status with the prefix that the database of the shop has.
  const rule = rules.get(status.replace(/^wc-/, ''));
  return rule?.kind === 'grant' && isRefundedInFull(order) ? fullRefund : rule;
}

/**
 * Whether the refunds of an order add up to its total: the shop leaves the status as it is when an administrator refunds
 * the whole sum in parts, and some payment plugins always do.
 */
function isRefundedInFull(order: Json): boolean {
  const total = amountIn(order, 'total');
  const refunded = objectsIn(order, 'refunds').reduce((sum, refund) => sum + Math.abs(amountIn(refund, 'total')), 0);
  // Decimals of currencies have no exact sum in binary.
  return total > 0 && refunded >= total - 1e-6;
}

/** A sum of money under a key, which the shop writes as text; 0 when there is none. */
const amountIn = (holder: Json, key: string): number => Number(lineIn(holder, key) ?? 0) || 0;

function demandOf(order: Json, orderId: string, { kind, finality }: StatusRule): Demand {
  if (kind === 'grant') needProducts(order);
  return {
    kind,
    purchaseId: orderId,
    occurredAt: changedAt(order),
    finality,
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
    return cutText(values.join(', '), 255) || null;
  };
  const name = [lineIn(billing, 'first_name'), lineIn(billing, 'last_name')].filter((part) => part !== null).join(' ');
  return {
    productId: joined('product_id'),
    productName: joined('name'),
    customerEmail: emailIn(billing, 'email'),
    customerName: cutText(name, 255) || null,
  };
}
