import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

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

/** Names the prepared statements of a database's connections. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** Returns the name of a query that has the hint; null for other queries, which are planned each time. */
  nameOf(text: string): string | null {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= MAX_PREPARED || !text.includes(PREPARED_HINT)) return null;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    this.names.set(text, name);
    return name;
  }
}
