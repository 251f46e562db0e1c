import { isEmail } from 'class-validator';
import { normaliseEmail } from '../../../platform/http/parsing/fields.js';
import { truncateText } from '../../../platform/text/graphemes.js';
import { removeInvisible } from '../../../platform/text/invisible-characters.js';
import { removeUrlsIfAny } from '../../../platform/text/plain-name.js';
import type { OutcomeCode } from '../integrations.errors.js';

/** Which of two pieces of news with the same time stands: an end stands over a beginning, that over "not yet". */
export const precedence = { notYet: 0, begun: 1, ended: 2 } as const;

export interface Customer {
  /** In lower case. */
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** Something bought: one line of an order, or a subscription. */
export interface PurchaseItem {
  readonly externalId: string;
  /** null for what opens the one zone of the configuration. */
  readonly productId: string | null;
}

/** What the log shows of a delivery. */
export interface LogFields {
  readonly orderId?: string | null;
  readonly productId?: string | null;
  readonly productName?: string | null;
  readonly subscriptionId?: string | null;
  readonly customerId?: string | null;
  readonly priceId?: string | null;
  readonly customerEmail?: string | null;
  readonly customerName?: string | null;
}

/** What a delivery asks for. */
export interface EntitlementCommand {
  /** `review`: what the purchase opened stays, and a person has to decide. */
  readonly kind: 'grant' | 'revoke' | 'review';
  /** The order or the subscription. */
  readonly purchaseId: string;
  /** At the sender; null when it does not say: then the time of arrival counts. */
  readonly occurredAt: Date | null;
  readonly finality: number;
  readonly items: readonly PurchaseItem[];
  readonly customer: Customer | null;
  /** Where the sender gives the customer's address. */
  readonly emailField: string;
  /** Of Stripe. */
  readonly priceIds?: readonly string[];
}

/** A delivery as read: what to show, and what to do, or why there is nothing to do. */
export interface ParsedDelivery {
  readonly shown: LogFields;
  readonly demand: EntitlementCommand | null;
  readonly note: OutcomeCode | null;
  /** What fills {field} in the sentence of the note. */
  readonly field?: string | null;
}

/** Why nothing can be made of a body. */
export type PayloadErrorCode = Extract<OutcomeCode, 'NOT_JSON' | 'MISSING_FIELD' | 'WRONG_FIELD'>;

/** A body of which nothing can be made, for a field of it unless it is no JSON object at all. */
export class PayloadError extends Error {
  /**
   * @param field as the sender names it, with dots between the levels
   * @param shown what could be read all the same
   */
  constructor(
    readonly code: PayloadErrorCode,
    readonly field: string | null = null,
    readonly shown: LogFields = {},
  ) {
    super(field === null ? code : `${code}: ${field}`);
  }
}

/**
 * Reads on after it is known what the log shows, so that the log shows it also when the rest cannot be read.
 * @throws Malformed
 */
export function withPartialFields<T>(partialFields: LogFields, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PayloadError) throw new PayloadError(error.code, error.field, partialFields);
    throw error;
  }
}

export type JsonObject = Record<string, unknown>;

/** @throws Malformed */
export function parseJsonObject(body: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
    if (isJsonObject(value)) return value;
  } catch {
    // Said by the line below.
  }
  throw new PayloadError('NOT_JSON');
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under a key, or an empty one. */
export const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isJsonObject(value) ? value : {};
};

/** The objects of the list under a key. */
export const objectsAt = (object: JsonObject, key: string): JsonObject[] => {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
};

/** Of a text of a body, as many UTF-16 units are read: more than any column takes. */
const MAX_READ_LENGTH = 5000;

/** A text or number under a key as one visible line of at most `max` characters; null when there is none. */
export function optionalString(object: JsonObject, key: string, max = 255): string | null {
  const value = object[key];
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const plain = String(value).slice(0, MAX_READ_LENGTH).toWellFormed();
  const line = removeInvisible(plain.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim();
  return line === '' ? null : truncateText(line, max);
}

/** The name of a person under a key, as `optionalString` gives it, without the address of a page that may stand in it. */
export function optionalName(object: JsonObject, key: string, max: number): string | null {
  return removeUrlsIfAny(optionalString(object, key, max) ?? '') || null;
}

/** What is said of a field without which a body is nothing: that it is missing, or that it is not what it should be. */
export const toFieldError = (object: JsonObject, key: string, name = key): PayloadError =>
  new PayloadError(isFieldMissing(object, key) ? 'MISSING_FIELD' : 'WRONG_FIELD', name);

export const isFieldMissing = (object: JsonObject, key: string): boolean =>
  object[key] === undefined || object[key] === null || object[key] === '';

/**
 * A text or number under a key, as `optionalString` gives it.
 * @param name of the field, where the key alone does not tell
 * @throws Malformed when there is none
 */
export function requiredString(object: JsonObject, key: string, max = 255, name = key): string {
  const line = optionalString(object, key, max);
  if (line === null) throw toFieldError(object, key, name);
  return line;
}

/** An address under a key in the form in which addresses are kept; null when it is none. */
export function optionalEmail(object: JsonObject, key: string): string | null {
  const value = object[key];
  if (typeof value !== 'string') return null;
  const email = normaliseEmail(value);
  return email.length <= 255 && isEmail(email) && !/["\s<>,;]/.test(email) ? email : null;
}

/**
 * The time under a key; senders that name no zone mean UTC.
 * @throws Malformed
 */
export function requiredTime(object: JsonObject, key: string): Date {
  if (isFieldMissing(object, key)) throw toFieldError(object, key);
  const value = object[key];
  const text = typeof value === 'string' ? (/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`) : NaN;
  return validateTime(new Date(text), key);
}

/** The year 10000: what comes after it is no time that a sender can mean, and not every database keeps it. */
const MAX_TIME = Date.UTC(10_000, 0);

/**
 * A time, if it can be one at which something was bought.
 * @throws Malformed
 */
export function validateTime(time: Date, key: string): Date {
  const at = time.getTime();
  if (Number.isNaN(at) || at <= 0 || at >= MAX_TIME) throw new PayloadError('WRONG_FIELD', key);
  return time;
}
