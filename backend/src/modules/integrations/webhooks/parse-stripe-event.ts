import { toCustomer } from '../shared/parse-premium-event.js';
import {
  optionalEmail,
  precedence,
  withPartialFields,
  toFieldError,
  optionalString,
  requiredString,
  objectAt,
  objectsAt,
  parseJsonObject,
  validateTime,
  type Customer,
  type EntitlementCommand,
  type JsonObject,
  type ParsedDelivery,
} from '../shared/payload-fields.js';

const CHANGE_EVENTS = new Set(['customer.subscription.created', 'customer.subscription.updated']);
const ENDED_EVENT = 'customer.subscription.deleted';
const PAID_STATUSES = new Set(['active', 'trialing']);
/** States that a subscription never leaves. */
const FINAL_STATUSES = new Set(['canceled', 'incomplete_expired']);

/**
 * Parses a Stripe event about a subscription to the premium service. The event contains the customer's data only if the
 * subscription does: as metadata (`email`, `name`), or as an expanded customer.
 * @throws PayloadError
 */
export function parseStripeEvent(body: Buffer): ParsedDelivery {
  const event = parseJsonObject(body);
  const type = optionalString(event, 'type', 80) ?? '';
  const subscription = objectAt(objectAt(event, 'data'), 'object');
  const customer = findPayer(subscription);
  const logFields = {
    ...toLogIds(subscription),
    customerEmail: customer?.email ?? null,
    customerName: [customer?.firstName, customer?.lastName].filter(Boolean).join(' ') || null,
  };
  if (!CHANGE_EVENTS.has(type) && type !== ENDED_EVENT)
    return { shown: logFields, demand: null, note: 'NOTHING_TO_DO' };
  return withPartialFields(logFields, () => ({
    shown: logFields,
    demand: toCommand(event, type, customer),
    note: null,
  }));
}

function toCommand(event: JsonObject, type: string, customer: Customer | null): EntitlementCommand {
  const subscription = objectAt(objectAt(event, 'data'), 'object');
  const externalId = requiredString(subscription, 'id', 255, 'data.object.id');
  if (typeof event.created !== 'number') throw toFieldError(event, 'created');
  const status = optionalString(subscription, 'status', 40) ?? '';
  const isPaid = type !== ENDED_EVENT && PAID_STATUSES.has(status);
  const isOver = type === ENDED_EVENT || FINAL_STATUSES.has(status);
  return {
    kind: isPaid ? 'grant' : 'revoke',
    purchaseId: externalId,
    occurredAt: validateTime(new Date(event.created * 1000), 'created'),
    finality: isOver ? precedence.ended : isPaid ? precedence.active : precedence.pending,
    items: [{ externalId, productId: null }],
    customer,
    emailField: 'data.object.customer.email',
    priceIds: listPriceIds(subscription),
  };
}

function findPayer(subscription: JsonObject) {
  const customer = objectAt(subscription, 'customer');
  const source = optionalEmail(customer, 'email') === null ? objectAt(subscription, 'metadata') : customer;
  return toCustomer(source);
}

const listPriceIds = (subscription: JsonObject): string[] =>
  objectsAt(objectAt(subscription, 'items'), 'data').flatMap(
    (item) => optionalString(objectAt(item, 'price'), 'id') ?? [],
  );

const toLogIds = (subscription: JsonObject) => ({
  subscriptionId: optionalString(subscription, 'id'),
  customerId: optionalString(subscription, 'customer') ?? optionalString(objectAt(subscription, 'customer'), 'id'),
  priceId: listPriceIds(subscription)[0] ?? null,
});
