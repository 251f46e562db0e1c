import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { timeouts } from './timeouts.js';

type Query = (...args: unknown[]) => Promise<unknown>;

const statementLimits = new AsyncLocalStorage<number>();

const BEGIN = /^\s*(begin|start transaction)\b/i;
const END = /^\s*(commit|rollback)\s*$/i;

/** Does work each of whose statements may take this many milliseconds: what reads or counts whole tables. */
export function withStatementLimit<T>(milliseconds: number, work: () => T): T {
  return statementLimits.run(milliseconds, work);
}

/** How long one statement may take where this is asked, in milliseconds. */
export function statementLimit(): number {
  return statementLimits.getStore() ?? timeouts.statement;
}

/**
 * Lets statements under `withStatementLimit` take as long as was declared. The limit holds for one transaction, and a
 * statement without one gets its own: behind a pooler a limit of the session would be left to whoever comes next.
 */
export function applyStatementLimits(pool: Pool): void {
  pool.on('connect', (client: PoolClient) => {
    const originalQuery = client.query.bind(client) as unknown as Query;
    let isInTransaction = false;
    const query = (...args: unknown[]) => {
      const [text] = args;
      const limit = statementLimits.getStore();
      if (typeof text !== 'string') return originalQuery(...args);
      if (BEGIN.test(text)) {
        isInTransaction = true;
        return limit === undefined ? originalQuery(...args) : beginWithLimit(originalQuery, args, limit);
      }
      if (END.test(text)) isInTransaction = false;
      return limit === undefined || isInTransaction || END.test(text)
        ? originalQuery(...args)
        : runInOwnTransaction(originalQuery, args, limit);
    };
    client.query = query as unknown as typeof client.query;
  });
}

async function beginWithLimit(originalQuery: Query, args: unknown[], limit: number): Promise<unknown> {
  const result = await originalQuery(...args);
  await originalQuery(`set local statement_timeout = ${limit}`);
  return result;
}

async function runInOwnTransaction(originalQuery: Query, args: unknown[], limit: number): Promise<unknown> {
  await beginWithLimit(originalQuery, ['begin'], limit);
  try {
    const result = await originalQuery(...args);
    await originalQuery('commit');
    return result;
  } catch (error) {
    // Fails only where the connection is lost, of which the first error tells.
    await originalQuery('rollback').catch(() => undefined);
    throw error;
  }
}
