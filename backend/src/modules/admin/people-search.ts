import { sql, type RawBuilder } from 'kysely';
import { foundBy } from '../../platform/http/lists/admin-list.js';
import { searchFold } from '../../platform/text/fold.js';

/** Ids of the people whose address, user name or name holds what is looked for. By the index over the same expression. */
export function peopleLike(q: string): RawBuilder<number> {
  return sql<number>`(select found.id from users found where ${folded('found')} like ${foundBy(q)})`;
}

const folded = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return searchFold(
    sql`${column('email')} || ' ' || coalesce(${column('username')}, '') || ' ' || coalesce(${column('first_name')}, '') || ' ' || coalesce(${column('last_name')}, '')`,
  );
};
