import { isEmail } from 'class-validator';
import { normaliseEmail } from '../../../platform/http/parsing/fields.js';
import { truncateText } from '../../../platform/text/graphemes.js';
import { removeInvisible } from '../../../platform/text/invisible-characters.js';
import { removeUrlsIfAny } from '../../../platform/text/plain-name.js';
import type { OutcomeCode } from '../integrations.errors.js';

/** Precedence of events with the same time: an end overrides a start, which overrides a pending state. */
export const precedence = { pending: 0, active: 1, ended: 2 } as const;

export interface Customer {
  /** In lower case. */
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** A purchased item: one line of an order, or a subscription. */
export interface PurchaseItem {
  readonly externalId: string;
  /** Null for the single zone in the configuration. */
  readonly productId: string | null;
}

/** Fields of a delivery shown in the log. */
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

/** What a delivery requests. */
export interface EntitlementCommand {
  /** `review`: access stays unchanged until a person decides. */
  readonly kind: 'grant' | 'revoke' | 'review';
  /** The order or subscription. */
  readonly purchaseId: string;
  /** Time at the sender; null when it isn't stated, and the time of arrival is used. */
  readonly occurredAt: Date | null;
  readonly finality: number;
  readonly items: readonly PurchaseItem[];
  readonly customer: Customer | null;
  /** Name of the sender's field with the customer's email address. */
  readonly emailField: string;
  /** Stripe prices. */
  readonly priceIds?: readonly string[];
}

/** A parsed delivery: the fields to show, and the command, or why there is none. */
export interface ParsedDelivery {
  readonly shown: LogFields;
  readonly demand: EntitlementCommand | null;
  readonly note: OutcomeCode | null;
  /** Value of {field} in the message of the note. */
  readonly field?: string | null;
}

/** Why a body can't be processed. */
export type PayloadErrorCode = Extract<OutcomeCode, 'NOT_JSON' | 'MISSING_FIELD' | 'WRONG_FIELD'>;

/** The body can't be processed: because of one of its fields, or because it isn't a JSON object. */
export class PayloadError extends Error {
  /**
   * @param field the sender's name of the field, with dots between levels
   * @param shown the fields that could still be read
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
 * Adds fields that are already parsed to a PayloadError, so that the log shows them even if the rest is invalid.
 * @throws PayloadError
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

/** @throws PayloadError */
export function parseJsonObject(body: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
    if (isJsonObject(value)) return value;
  } catch {
    // Handled by the throw below.
  }
  throw new PayloadError('NOT_JSON');
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the object at a key, or an empty one. */
export const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isJsonObject(value) ? value : {};
};

/** Returns the objects of the array at a key. */
export const objectsAt = (object: JsonObject, key: string): JsonObject[] => {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
};

/** Maximum length of a string that is processed, in UTF-16 code units; more than any column stores. */
const MAX_READ_LENGTH = 5000;

/**
 * Returns the string or number at a key as a single line of visible text of at most `max` characters; null when there
 * is none.
 */
export function optionalString(object: JsonObject, key: string, max = 255): string | null {
  const value = object[key];
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const plain = String(value).slice(0, MAX_READ_LENGTH).toWellFormed();
  const line = removeInvisible(plain.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim();
  return line === '' ? null : truncateText(line, max);
}

/** Returns the person's name at a key like `optionalString`, with URLs removed. */
export function optionalName(object: JsonObject, key: string, max: number): string | null {
  return removeUrlsIfAny(optionalString(object, key, max) ?? '') || null;
}

/** Creates the error for a required field: missing or invalid. */
export const toFieldError = (object: JsonObject, key: string, name = key): PayloadError =>
  new PayloadError(isFieldMissing(object, key) ? 'MISSING_FIELD' : 'WRONG_FIELD', name);

export const isFieldMissing = (object: JsonObject, key: string): boolean =>
  object[key] === undefined || object[key] === null || object[key] === '';

/**
 * Returns a string or number like `optionalString`.
 * @param name name of the field, if it isn't the key
 * @throws PayloadError when there is none
 */
export function requiredString(object: JsonObject, key: string, max = 255, name = key): string {
  const line = optionalString(object, key, max);
  if (line === null) throw toFieldError(object, key, name);
  return line;
}

/** Returns the normalised email address at a key; null when it is invalid. */
export function optionalEmail(object: JsonObject, key: string): string | null {
  const value = object[key];
  if (typeof value !== 'string') return null;
  const email = normaliseEmail(value);
  return email.length <= 255 && isEmail(email) && !/["\s<>,;]/.test(email) ? email : null;
}

/**
 * Returns the time at a key; times without a time zone are UTC.
 * @throws PayloadError
 */
export function requiredTime(object: JsonObject, key: string): Date {
  if (isFieldMissing(object, key)) throw toFieldError(object, key);
  const value = object[key];
  const text = typeof value === 'string' ? (/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`) : NaN;
  return validateTime(new Date(text), key);
}

/** The year 10000: later times can't be meant, and not every database supports them. */
const MAX_TIME = Date.UTC(10_000, 0);

/**
 * Checks that a time is plausible for a purchase.
 * @throws PayloadError
 */
export function validateTime(time: Date, key: string): Date {
  const at = time.getTime();
  if (Number.isNaN(at) || at <= 0 || at >= MAX_TIME) throw new PayloadError('WRONG_FIELD', key);
  return time;
}
