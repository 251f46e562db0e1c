import { truncateText } from '../../../platform/text/graphemes.js';
import type { OutcomeCode } from '../integrations.errors.js';
import {
  optionalEmail,
  precedence,
  isFieldMissing,
  toFieldError,
  withPartialFields,
  optionalString,
  optionalName,
  requiredString,
  objectAt,
  objectsAt,
  parseJsonObject,
  requiredTime,
  type Customer,
  type EntitlementCommand,
  type PurchaseItem,
  type JsonObject,
  type ParsedDelivery,
  type LogFields,
} from '../shared/payload-fields.js';

interface StatusRule {
  readonly kind: EntitlementCommand['kind'];
  /** Precedence among changes within the same second. */
  readonly finality: number;
  readonly note: OutcomeCode | null;
}

const paidRule: StatusRule = { kind: 'grant', finality: precedence.active, note: null };
const endedRule: StatusRule = { kind: 'revoke', finality: precedence.ended, note: null };
const fullRefundRule: StatusRule = { kind: 'revoke', finality: precedence.ended, note: 'FULL_REFUND' };
const unpaidRule: StatusRule = { kind: 'review', finality: precedence.pending, note: 'ORDER_UNPAID' };
const deletedRule: StatusRule = { kind: 'review', finality: precedence.ended, note: 'ORDER_DELETED' };

/**
 * The command for each order status; docs/integrations.md has the table with the reasons. The statuses are those of
 * WooCommerce (https://woocommerce.com/document/managing-orders/order-statuses/).
 */
const rulesByStatus: ReadonlyMap<string, StatusRule> = new Map<string, StatusRule>([
  ['processing', paidRule],
  ['completed', paidRule],
  ['refunded', endedRule],
  ['cancelled', endedRule],
  ['failed', { kind: 'revoke', finality: precedence.pending, note: 'PAYMENT_FAILED' }],
  ['on-hold', { kind: 'review', finality: precedence.pending, note: 'ORDER_ON_HOLD' }],
  ['pending', unpaidRule],
  ['draft', unpaidRule],
  ['auto-draft', unpaidRule],
  ['checkout-draft', unpaidRule],
  ['trash', deletedRule],
]);

/**
 * Parses an order of the shop. Only the current status counts, not the kind of change that was sent. A deleted order
 * consists only of its id.
 * @throws PayloadError
 */
export function parseOrder(body: Buffer): ParsedDelivery {
  const order = parseJsonObject(body);
  const orderId = requiredString(order, 'id', 64);
  const logFields = { orderId, ...toLogFields(order) };
  const status = optionalString(order, 'status', 40);
  const rule = findRule(order, status);
  if (!rule) {
    const isNamed = status !== null;
    return { shown: logFields, demand: null, note: isNamed ? 'UNKNOWN_STATUS' : 'NOTHING_TO_DO', field: status };
  }
  const isPartial = rule.kind === 'grant' && objectsAt(order, 'refunds').length > 0;
  const note = isPartial ? 'PARTIAL_REFUND' : rule.note;
  return withPartialFields(logFields, () => ({ shown: logFields, demand: toCommand(order, orderId, rule), note }));
}

function findRule(order: JsonObject, status: string | null): StatusRule | undefined {
  if (status === null) return Object.keys(order).length === 1 ? deletedRule : undefined;
  // Some plugins send the status with the prefix used in the shop's database.
  const rule = rulesByStatus.get(status.replace(/^wc-/, ''));
  return rule?.kind === 'grant' && isRefundedInFull(order) ? fullRefundRule : rule;
}

/**
 * Whether the refunds of an order add up to its total. The shop doesn't change the status when an admin refunds the
 * whole sum in parts, and some payment plugins always do that.
 */
function isRefundedInFull(order: JsonObject): boolean {
  const total = amountAt(order, 'total');
  const refunded = objectsAt(order, 'refunds').reduce((sum, refund) => sum + Math.abs(amountAt(refund, 'total')), 0);
  // Tolerance for floating-point sums of decimal amounts.
  return total > 0 && refunded >= total - 1e-6;
}

/** Returns the amount at a key, which the shop sends as text; 0 when there is none. */
const amountAt = (object: JsonObject, key: string): number => Number(optionalString(object, key) ?? 0) || 0;

function toCommand(order: JsonObject, orderId: string, { kind, finality }: StatusRule): EntitlementCommand {
  if (kind === 'grant') assertProducts(order);
  return {
    kind,
    purchaseId: orderId,
    occurredAt: getChangedAt(order),
    finality,
    items: toItems(order, orderId),
    customer: toCustomer(objectAt(order, 'billing')),
    emailField: 'billing.email',
  };
}

/** Returns when the order was last changed; null without dates, as in orders created by some extensions. */
function getChangedAt(order: JsonObject): Date | null {
  const key = ['date_modified_gmt', 'date_created_gmt'].find((name) => !isFieldMissing(order, name));
  return key === undefined ? null : requiredTime(order, key);
}

function toItems(order: JsonObject, orderId: string): PurchaseItem[] {
  return objectsAt(order, 'line_items').map((line) => ({
    externalId: `${orderId}:${optionalString(line, 'id', 64) ?? ''}`,
    productId: optionalString(line, 'product_id', 64),
  }));
}

/** @throws PayloadError when an order doesn't say what was bought: it would silently give no access */
function assertProducts(order: JsonObject): void {
  if (!Array.isArray(order.line_items)) throw toFieldError(order, 'line_items');
  for (const line of objectsAt(order, 'line_items')) requiredString(line, 'product_id', 64, 'line_items.product_id');
}

function toCustomer(billing: JsonObject): Customer | null {
  const email = optionalEmail(billing, 'email');
  if (email === null) return null;
  return {
    email,
    firstName: optionalName(billing, 'first_name', 50),
    lastName: optionalName(billing, 'last_name', 50),
  };
}

function toLogFields(order: JsonObject): LogFields {
  const billing = objectAt(order, 'billing');
  const lines = objectsAt(order, 'line_items');
  const joined = (key: string) => {
    const values = lines.map((line) => optionalString(line, key)).filter((value) => value !== null);
    return truncateText(values.join(', '), 255) || null;
  };
  const name = [optionalString(billing, 'first_name'), optionalString(billing, 'last_name')]
    .filter((part) => part !== null)
    .join(' ');
  return {
    productId: joined('product_id'),
    productName: joined('name'),
    customerEmail: optionalEmail(billing, 'email'),
    customerName: truncateText(name, 255) || null,
  };
}
