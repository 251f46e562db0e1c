import { sql, type RawBuilder } from 'kysely';
import { containing } from '../../platform/http/admin-list.js';
import { foldForSearch } from '../../platform/text/fold.js';

/** Ids of the people whose address, user name or name holds what is looked for. By the index over the same expression. */
export function peopleLike(q: string): RawBuilder<number> {
  const pattern = containing(foldForSearch(q.trim()));
  return sql<number>`(select found.id from users found where ${folded('found')} like ${pattern})`;
}

const folded = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`lower(translate(${column('email')} || ' ' || coalesce(${column('username')}, '') || ' ' || coalesce(${column('first_name')}, '') || ' ' || coalesce(${column('last_name')}, ''), 'Iİı', 'iii'))`;
};
