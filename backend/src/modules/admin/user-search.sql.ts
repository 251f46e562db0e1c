import { sql, type RawBuilder } from 'kysely';
import { searchPattern } from '../../platform/http/lists/admin-list.js';
import { normaliseForSearchSql } from '../../platform/text/normalise-for-search.js';

/** Selects the ids of users whose address, username or name contains `q`. Uses the index on the same expression. */
export function matchingUserIds(q: string): RawBuilder<number> {
  return sql<number>`(select found.id from users found where ${searchTextSql('found')} like ${searchPattern(q)})`;
}

const searchTextSql = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return normaliseForSearchSql(
    sql`${column('email')} || ' ' || coalesce(${column('username')}, '') || ' ' || coalesce(${column('first_name')}, '') || ' ' || coalesce(${column('last_name')}, '')`,
  );
};
