import { sql, type RawBuilder } from 'kysely';
import { fieldError } from '../parsing/validation.js';

/** Database types of sort keys. */
export type CursorType = 'varchar' | 'timestamptz' | 'bigint' | 'int' | 'uuid';

/** The values of a cursor: numbers for numeric types, otherwise strings. */
export type CursorKeys<T extends readonly CursorType[]> = {
  -readonly [K in keyof T]: T[K] extends 'bigint' | 'int' ? number : string;
};

const INT_LIMIT = 2 ** 31;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const INSTANT_FORMAT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/** Encodes the sort keys of a page's last row. Opaque to clients, and contains nothing that they can't see. */
export function encodeCursor(keys: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/**
 * Decodes a cursor. It comes from a client, possibly from a list with another order, so its keys are checked to be
 * valid values of the database types.
 * @throws VALIDATION_FAILED when no list with this order could have created it
 */
export function decodeCursor<const T extends readonly CursorType[]>(cursor: string, types: T): CursorKeys<T> {
  const keys = parseCursor(cursor);
  if (
    Array.isArray(keys) &&
    keys.length === types.length &&
    types.every((type, index) => isValidKey(keys[index], type))
  ) {
    return keys as CursorKeys<T>;
  }
  throw fieldError('cursor', { en: "This cursor isn't valid.", tr: 'Bu imleç geçerli değil.' });
}

/**
 * Returns the sort keys of a cursor as an SQL row, for comparison with a row's.
 * @throws VALIDATION_FAILED
 */
export function cursorTuple(cursor: string, types: readonly CursorType[]): RawBuilder<unknown> {
  const keys = decodeCursor(cursor, types);
  return sql`(${sql.join(keys.map((key, index) => sql`${key}::${sql.raw(types[index]!)}`))})`;
}

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function isValidKey(key: unknown, type: CursorType): boolean {
  if (type === 'bigint') return Number.isSafeInteger(key);
  if (type === 'int') return Number.isInteger(key) && Math.abs(key as number) < INT_LIMIT;
  if (typeof key !== 'string' || key.includes('\0') || !key.isWellFormed()) return false;
  if (type === 'uuid') return UUID.test(key);
  return type === 'varchar' || isInstant(key);
}

/** JavaScript parses 31 February as a day in March; PostgreSQL rejects it. */
function isInstant(text: string): boolean {
  const read = new Date(text);
  return INSTANT_FORMAT.test(text) && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text.slice(0, 19));
}
