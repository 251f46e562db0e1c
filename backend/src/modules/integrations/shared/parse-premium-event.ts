import { truncateText } from '../../../platform/text/graphemes.js';
import {
  optionalEmail,
  precedence,
  withPartialFields,
  optionalString,
  optionalName,
  requiredString,
  objectAt,
  parseJsonObject,
  requiredTime,
  type Customer,
  type EntitlementCommand,
  type JsonObject,
  type ParsedDelivery,
} from './payload-fields.js';

const GRANT_EVENTS = new Set(['subscription.created', 'subscription.activated']);
const REVOKE_EVENTS = new Set(['subscription.cancelled', 'subscription.expired']);

/**
 * Parses an event of the premium service.
 * @throws PayloadError
 */
export function parsePremiumEvent(body: Buffer): ParsedDelivery {
  const event = parseJsonObject(body);
  const subscriptionId = optionalString(event, 'subscriptionId');
  const kind = optionalString(event, 'event', 80) ?? '';
  const customer = toCustomer(objectAt(event, 'customer'));
  const logFields = {
    subscriptionId,
    customerEmail: customer?.email ?? null,
    customerName: optionalString(objectAt(event, 'customer'), 'name'),
  };
  if (!GRANT_EVENTS.has(kind) && !REVOKE_EVENTS.has(kind))
    return { shown: logFields, demand: null, note: 'NOTHING_TO_DO' };
  return withPartialFields(logFields, () => ({
    shown: logFields,
    demand: toCommand(event, GRANT_EVENTS.has(kind), customer),
    note: null,
  }));
}

function toCommand(event: JsonObject, isGrant: boolean, customer: Customer | null): EntitlementCommand {
  const externalId = requiredString(event, 'subscriptionId');
  return {
    kind: isGrant ? 'grant' : 'revoke',
    purchaseId: externalId,
    occurredAt: requiredTime(event, 'occurredAt'),
    finality: isGrant ? precedence.active : precedence.ended,
    items: [{ externalId, productId: null }],
    customer,
    emailField: 'customer.email',
  };
}

/** The service has a single name field, which is split at the first space, like in the settings. */
export function toCustomer(customer: JsonObject): Customer | null {
  const email = optionalEmail(customer, 'email');
  if (email === null) return null;
  const [firstName, ...rest] = (optionalName(customer, 'name', 100) ?? '').split(/\s+/);
  const short = (name: string) => truncateText(name, 50) || null;
  return { email, firstName: short(firstName ?? ''), lastName: short(rest.join(' ')) };
}
