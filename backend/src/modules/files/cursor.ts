import { sql, type RawBuilder } from 'kysely';
import { decodeCursor } from '../../platform/http/list.js';
import { fieldError } from '../../platform/http/validation.js';

/** Types of sort keys in the database. */
export type CursorType = 'varchar' | 'timestamptz' | 'bigint';

/**
 * The sort keys in a cursor, to be compared with a row's. A cursor comes from a client, perhaps from a list that was
 * sorted otherwise, so its values are checked.
 * @throws VALIDATION_FAILED
 */
export function cursorTuple(cursor: string, types: readonly CursorType[]): RawBuilder<unknown> {
  const values = decodeCursor(cursor, types.length);
  if (!values.every((value, at) => fits(value, types[at]!))) {
    throw fieldError('cursor', { en: 'This cursor is not valid.', tr: 'Bu imleç geçerli değil.' });
  }
  return sql`(${sql.join(values.map((value, at) => sql`${value}::${sql.raw(types[at]!)}`))})`;
}

function fits(value: unknown, type: CursorType): boolean {
  if (type === 'bigint') return Number.isSafeInteger(value);
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return false;
  return type === 'varchar' || (/^\d{4}-[\d-]{5}T[\d:.]{12}Z$/.test(value) && !Number.isNaN(Date.parse(value)));
}
