import { sql, type RawBuilder } from 'kysely';
import { fieldError } from '../parsing/validation.js';

/** Types of sort keys in the database. */
export type CursorType = 'varchar' | 'timestamptz' | 'bigint' | 'int' | 'uuid';

/** The keys of a cursor: numbers where the type is one, texts otherwise. */
export type CursorKeys<T extends readonly CursorType[]> = {
  -readonly [K in keyof T]: T[K] extends 'bigint' | 'int' ? number : string;
};

const INT_LIMIT = 2 ** 31;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const INSTANT_FORMAT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/** Packs the sort keys of a page's last row. Opaque to clients, and holds nothing that they do not see. */
export function encodeCursor(keys: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/**
 * Unpacks a cursor. It comes from a client, perhaps from a list that was sorted otherwise, so its keys are checked to be
 * something that the database reads as these types.
 * @throws VALIDATION_FAILED when no list that is sorted so could have given it out
 */
export function decodeCursor<const T extends readonly CursorType[]>(cursor: string, types: T): CursorKeys<T> {
  const keys = parseCursor(cursor);
  if (Array.isArray(keys) && keys.length === types.length && types.every((type, at) => isValidKey(keys[at], type))) {
    return keys as CursorKeys<T>;
  }
  throw fieldError('cursor', { en: "This cursor isn't valid.", tr: 'Bu imleç geçerli değil.' });
}

/**
 * The sort keys in a cursor as a row of SQL, to be compared with a row's.
 * @throws VALIDATION_FAILED
 */
export function cursorTuple(cursor: string, types: readonly CursorType[]): RawBuilder<unknown> {
  const keys = decodeCursor(cursor, types);
  return sql`(${sql.join(keys.map((key, at) => sql`${key}::${sql.raw(types[at]!)}`))})`;
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

/** JavaScript reads the 31st of February as a day of March; PostgreSQL does not. */
function isInstant(text: string): boolean {
  const read = new Date(text);
  return INSTANT_FORMAT.test(text) && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text.slice(0, 19));
}
