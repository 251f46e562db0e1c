import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Pool, PoolClient } from 'pg';

const PREPARED_HINT = '/* prepared */';

/** Texts that each connection keeps at most; beyond them queries are planned anew, as all others are. */
const MAX_PREPARED = 200;

/**
 * Goes in front of a query that nearly every request makes: each connection then parses and plans it once. For queries
 * of one shape only, whose best plan does not depend on the values: `query(em).selectFrom(…).modifyFront(prepared)`.
 */
export const prepared: RawBuilder<unknown> = sql.raw(PREPARED_HINT);

/** The same for a query written as text. */
export const withPreparedHint = (text: string): string => `${PREPARED_HINT} ${text}`;

/** Lets the connections of a pool keep the queries that are marked so. */
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
