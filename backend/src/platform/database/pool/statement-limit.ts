import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { timeouts } from './timeouts.js';

type Query = (...args: unknown[]) => Promise<unknown>;

const statementLimits = new AsyncLocalStorage<number>();

const BEGIN = /^\s*(begin|start transaction)\b/i;
const END = /^\s*(commit|rollback)\s*$/i;

/**
 * Runs `work` with a higher time limit per statement, in milliseconds, for statements that read or count whole tables.
 */
export function withStatementLimit<T>(milliseconds: number, work: () => T): T {
  return statementLimits.run(milliseconds, work);
}

/** Returns the time limit of a statement in the current context, in milliseconds. */
export function statementLimit(): number {
  return statementLimits.getStore() ?? timeouts.statement;
}

/**
 * Applies the limits of `withStatementLimit`. The limit is set per transaction, and a statement outside of one gets its
 * own: behind a connection pooler, a session setting would leak to the next client.
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
    // Fails only if the connection is lost, which the first error already reports.
    await originalQuery('rollback').catch(() => undefined);
    throw error;
  }
}
