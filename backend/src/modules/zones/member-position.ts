import { sql, type RawBuilder } from 'kysely';
import { cursorTuple, type CursorType } from '../../platform/http/cursor.js';

export type MemberSort = 'email' | 'name' | 'joined';

interface SortKey {
  readonly column: string;
  readonly type: CursorType;
  /** The key of a row of the alias `m`, as text that the type reads back to the last digit. */
  readonly text: RawBuilder<string>;
}

/** The sort keys are copied into the memberships, so that no list of members joins people for its order. */
export const sortKeys: Record<MemberSort, SortKey> = {
  email: { column: 'email', type: 'varchar', text: sql`m.email` },
  name: { column: 'name_key', type: 'varchar', text: sql`m.name_key` },
  joined: {
    column: 'created_at',
    type: 'timestamptz',
    text: sql`to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  },
};

/**
 * Where a page begins: the condition "after the row that the cursor names", for the alias `k` of the memberships.
 * @throws VALIDATION_FAILED for a cursor that no page of this order gave out
 */
export function positionOf(cursor: string, sort: MemberSort, order: 'asc' | 'desc'): RawBuilder<boolean> {
  const { column, type } = sortKeys[sort];
  const side = sql.raw(order === 'asc' ? '>' : '<');
  return sql<boolean>`(k.${sql.ref(column)}, k.id) ${side} ${cursorTuple(cursor, [type, 'bigint'])}`;
}
