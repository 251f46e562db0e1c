import { isEmail } from 'class-validator';
import { normaliseEmail } from '../../platform/http/fields.js';
import type { OutcomeCode } from './integrations.errors.js';

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
  readonly kind: 'grant' | 'revoke';
  /** The order or the subscription. */
  readonly purchaseId: string;
  /** At the sender. */
  readonly occurredAt: Date;
  readonly finality: number;
  readonly items: readonly Item[];
  readonly customer: Customer | null;
  /** Of Stripe. */
  readonly priceIds?: readonly string[];
}

/** A delivery as read: what to show, and what to do, or why there is nothing to do. */
export interface Reading {
  readonly shown: Shown;
  readonly demand: Demand | null;
  readonly note: OutcomeCode | null;
}

/** A body of which nothing can be made. */
export class Malformed extends Error {}

export type Json = Record<string, unknown>;

/** @throws Malformed */
export function parseObject(body: Buffer): Json {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
    if (isObject(value)) return value;
  } catch {
    // Said by the line below.
  }
  throw new Malformed('not a JSON object');
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

/** A text or number under a key as one visible line of at most `max` characters; null when there is none. */
export function lineIn(holder: Json, key: string, max = 255): string | null {
  const value = holder[key];
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const line = String(value)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
  return line === '' ? null : [...line].slice(0, max).join('');
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
  if (Number.isNaN(at) || at <= 0 || at >= END_OF_TIME) throw new Malformed(`no time in ${key}`);
  return time;
}
