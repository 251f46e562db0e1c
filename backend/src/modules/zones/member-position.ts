import { sql, type RawBuilder } from 'kysely';
import { decodeCursor } from '../../platform/http/list.js';
import { fieldError } from '../../platform/http/validation.js';

export type MemberSort = 'email' | 'name' | 'joined';

interface SortKey {
  readonly column: string;
  readonly type: string;
  /** The key of a row of the alias `m`, as text that the type reads back to the last digit. */
  readonly text: RawBuilder<string>;
  /** What such a text looks like. */
  readonly form: RegExp;
}

/** The sort keys are copied into the memberships, so that no list of members joins people for its order. */
export const sortKeys: Record<MemberSort, SortKey> = {
  email: { column: 'email', type: 'varchar', text: sql`m.email`, form: /^[^\0]*$/ },
  name: { column: 'name_key', type: 'varchar', text: sql`m.name_key`, form: /^[^\0]*$/ },
  joined: {
    column: 'created_at',
    type: 'timestamptz',
    text: sql`to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    form: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  },
};

/**
 * Where a page begins: the condition "after the row that the cursor names", for the alias `k` of the memberships.
 * @throws VALIDATION_FAILED for a cursor that no page of this order gave out
 */
export function positionOf(cursor: string, sort: MemberSort, order: 'asc' | 'desc'): RawBuilder<boolean> {
  const [key, id] = decodeCursor(cursor, 2);
  const { column, type, form } = sortKeys[sort];
  const isText = typeof key === 'string' && key.isWellFormed() && form.test(key);
  if (!isText || (sort === 'joined' && Number.isNaN(Date.parse(key))) || !Number.isSafeInteger(id)) {
    throw fieldError('cursor', { en: 'This cursor is not valid.', tr: 'Bu imleç geçerli değil.' });
  }
  const side = sql.raw(order === 'asc' ? '>' : '<');
  return sql<boolean>`(k.${sql.ref(column)}, k.id) ${side} (${key}::${sql.raw(type)}, ${id}::bigint)`;
}
