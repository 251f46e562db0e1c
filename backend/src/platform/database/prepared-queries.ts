import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Pool, PoolClient } from 'pg';

const PREPARED_HINT = '/* prepared */';

/**
 * Maximum number of prepared statements per connection. Further queries are planned each time, like all unprepared
 * ones.
 */
const MAX_PREPARED = 200;

/**
 * Marks a frequent query as a prepared statement, so that each connection parses and plans it only once. Only for
 * queries with a fixed shape whose best plan doesn't depend on the values:
 * `query(em).selectFrom(…).modifyFront(prepared)`.
 */
export const prepared: RawBuilder<unknown> = sql.raw(PREPARED_HINT);

/** The same for a query written as SQL text. */
export const withPreparedHint = (text: string): string => `${PREPARED_HINT} ${text}`;

/** Makes the connections of a pool prepare queries that have the hint. */
export function enablePreparedQueries(pool: Pool): void {
  const names = new Map<string, string | null>();
  const statementNameOf = (text: string): string | null => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MAX_PREPARED) return null;
    const name = text.includes(PREPARED_HINT) ? createHash('sha256').update(text).digest('hex').slice(0, 32) : null;
    if (name !== null) names.set(text, name);
    return name;
  };
  pool.on('connect', (client: PoolClient) => {
    const originalQuery = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (text: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof text === 'string' && Array.isArray(values) ? statementNameOf(text) : null;
      return name === null ? originalQuery(text, values, ...rest) : originalQuery({ name, text, values }, ...rest);
    };
    client.query = query as typeof client.query;
  });
}
