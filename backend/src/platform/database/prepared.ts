import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Pool, PoolClient } from 'pg';

const MARK = '/* prepared */';

/** Texts that each connection keeps at most; beyond them queries are planned anew, as all others are. */
const MOST = 200;

/**
 * Goes in front of a query that nearly every request makes: each connection then parses and plans it once. For queries
 * of one shape only, whose best plan does not depend on the values: `query(em).selectFrom(…).modifyFront(prepared)`.
 */
export const prepared: RawBuilder<unknown> = sql.raw(MARK);

/** The same for a query written as text. */
export const preparedText = (text: string): string => `${MARK} ${text}`;

/** Lets the connections of a pool keep the queries that are marked so. */
export function keepPrepared(pool: Pool): void {
  const names = new Map<string, string | null>();
  const nameOf = (text: string): string | null => {
    const given = names.get(text);
    if (given !== undefined) return given;
    if (names.size >= MOST) return null;
    const name = text.includes(MARK) ? createHash('sha256').update(text).digest('hex').slice(0, 32) : null;
    if (name !== null) names.set(text, name);
    return name;
  };
  pool.on('connect', (client: PoolClient) => {
    const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (text: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : null;
      return name === null ? plain(text, values, ...rest) : plain({ name, text, values }, ...rest);
    };
    client.query = query as typeof client.query;
  });
}
