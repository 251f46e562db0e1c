import { isEmail } from 'class-validator';
import { normaliseEmail } from '../../../platform/http/reading/fields.js';
import { cutText } from '../../../platform/text/graphemes.js';
import { withoutInvisible } from '../../../platform/text/joiners.js';
import { withoutAddress } from '../../../platform/text/plain-name.js';
import type { OutcomeCode } from '../integrations.errors.js';

/** Which of two pieces of news with the same time stands: an end stands over a beginning, that over "not yet". */
export const finality = { notYet: 0, begun: 1, ended: 2 } as const;

export interface Customer {
  /** In lower case. */
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** Something bought: one line of an order, or a subscription. */
export interface Item {
  readonly externalId: string;
  /** null for what opens the one zone of the configuration. */
  readonly productId: string | null;
}

/** What the log shows of a delivery. */
export interface Shown {
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
export interface Demand {
  /** `review`: what the purchase opened stays, and a person has to decide. */
  readonly kind: 'grant' | 'revoke' | 'review';
  /** The order or the subscription. */
  readonly purchaseId: string;
  /** At the sender; null when it does not say: then the time of arrival counts. */
  readonly occurredAt: Date | null;
  readonly finality: number;
  readonly items: readonly Item[];
  readonly customer: Customer | null;
  /** Where the sender gives the customer's address. */
  readonly emailField: string;
  /** Of Stripe. */
  readonly priceIds?: readonly string[];
}

/** A delivery as read: what to show, and what to do, or why there is nothing to do. */
export interface Reading {
  readonly shown: Shown;
  readonly demand: Demand | null;
  readonly note: OutcomeCode | null;
  /** What fills {field} in the sentence of the note. */
  readonly field?: string | null;
}

/** Why nothing can be made of a body. */
export type Unreadable = Extract<OutcomeCode, 'NOT_JSON' | 'MISSING_FIELD' | 'WRONG_FIELD'>;

/** A body of which nothing can be made, for a field of it unless it is no JSON object at all. */
export class Malformed extends Error {
  /**
   * @param field as the sender names it, with dots between the levels
   * @param shown what could be read all the same
   */
  constructor(
    readonly code: Unreadable,
    readonly field: string | null = null,
    readonly shown: Shown = {},
  ) {
    super(field === null ? code : `${code}: ${field}`);
  }
}

/**
 * Reads on after it is known what the log shows, so that the log shows it also when the rest cannot be read.
 * @throws Malformed
 */
export function keeping<T>(shown: Shown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) throw new Malformed(error.code, error.field, shown);
    throw error;
  }
}

export type Json = Record<string, unknown>;

/** @throws Malformed */
export function parseObject(body: Buffer): Json {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
    if (isObject(value)) return value;
  } catch {
    // Said by the line below.
  }
  throw new Malformed('NOT_JSON');
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under a key, or an empty one. */
export const objectIn = (holder: Json, key: string): Json => {
  const value = holder[key];
  return isObject(value) ? value : {};
};

/** The objects of the list under a key. */
export const objectsIn = (holder: Json, key: string): Json[] => {
  const value = holder[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** Of a text of a body, as many UTF-16 units are read: more than any column takes. */
const LONGEST_READ = 5000;

/** A text or number under a key as one visible line of at most `max` characters; null when there is none. */
export function lineIn(holder: Json, key: string, max = 255): string | null {
  const value = holder[key];
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const plain = String(value).slice(0, LONGEST_READ).toWellFormed();
  const line = withoutInvisible(plain.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim();
  return line === '' ? null : cutText(line, max);
}

/** The name of a person under a key, as `lineIn` gives it, without the address of a page that may stand in it. */
export function nameIn(holder: Json, key: string, max: number): string | null {
  return withoutAddress(lineIn(holder, key, max) ?? '') || null;
}

/** What is said of a field without which a body is nothing: that it is missing, or that it is not what it should be. */
export const lacking = (holder: Json, key: string, name = key): Malformed =>
  new Malformed(isMissing(holder, key) ? 'MISSING_FIELD' : 'WRONG_FIELD', name);

export const isMissing = (holder: Json, key: string): boolean =>
  holder[key] === undefined || holder[key] === null || holder[key] === '';

/**
 * A text or number under a key, as `lineIn` gives it.
 * @param name of the field, where the key alone does not tell
 * @throws Malformed when there is none
 */
export function neededLineIn(holder: Json, key: string, max = 255, name = key): string {
  const line = lineIn(holder, key, max);
  if (line === null) throw lacking(holder, key, name);
  return line;
}

/** An address under a key in the form in which addresses are kept; null when it is none. */
export function emailIn(holder: Json, key: string): string | null {
  const value = holder[key];
  if (typeof value !== 'string') return null;
  const email = normaliseEmail(value);
  return email.length <= 255 && isEmail(email) && !/["\s<>,;]/.test(email) ? email : null;
}

/**
 * The time under a key; senders that name no zone mean UTC.
 * @throws Malformed
 */
export function timeIn(holder: Json, key: string): Date {
  if (isMissing(holder, key)) throw lacking(holder, key);
  const value = holder[key];
  const text = typeof value === 'string' ? (/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`) : NaN;
  return timeOf(new Date(text), key);
}

/** The year 10000: what comes after it is no time that a sender can mean, and not every database keeps it. */
const END_OF_TIME = Date.UTC(10_000, 0);

/**
 * A time, if it can be one at which something was bought.
 * @throws Malformed
 */
export function timeOf(time: Date, key: string): Date {
  const at = time.getTime();
  if (Number.isNaN(at) || at <= 0 || at >= END_OF_TIME) throw new Malformed('WRONG_FIELD', key);
  return time;
}
