import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { timeLimits } from './time-limits.js';

type Query = (...args: unknown[]) => Promise<unknown>;

const declared = new AsyncLocalStorage<number>();

const BEGIN = /^\s*(begin|start transaction)\b/i;
const END = /^\s*(commit|rollback)\s*$/i;

/** Does work each of whose statements may take this many milliseconds: what reads or counts whole tables. */
export function withStatementLimit<T>(milliseconds: number, work: () => T): T {
  return declared.run(milliseconds, work);
}

/** How long one statement may take where this is asked, in milliseconds. */
export function statementLimit(): number {
  return declared.getStore() ?? timeLimits.statement;
}

/**
 * Lets statements under `withStatementLimit` take as long as was declared. The limit holds for one transaction, and a
 * statement without one gets its own: behind a pooler a limit of the session would be left to whoever comes next.
 */
export function allowDeclared(pool: Pool): void {
  pool.on('connect', (client: PoolClient) => {
    const plain = client.query.bind(client) as unknown as Query;
    let isInTransaction = false;
    const query = (...args: unknown[]) => {
      const [text] = args;
      const limit = declared.getStore();
      if (typeof text !== 'string') return plain(...args);
      if (BEGIN.test(text)) {
        isInTransaction = true;
        return limit === undefined ? plain(...args) : begun(plain, args, limit);
      }
      if (END.test(text)) isInTransaction = false;
      return limit === undefined || isInTransaction || END.test(text) ? plain(...args) : alone(plain, args, limit);
    };
    client.query = query as unknown as typeof client.query;
  });
}

async function begun(plain: Query, args: unknown[], limit: number): Promise<unknown> {
  const answer = await plain(...args);
  await plain(`set local statement_timeout = ${limit}`);
  return answer;
}

async function alone(plain: Query, args: unknown[], limit: number): Promise<unknown> {
  await begun(plain, ['begin'], limit);
  try {
    const answer = await plain(...args);
    await plain('commit');
    return answer;
  } catch (error) {
    // Fails only where the connection is lost, of which the first error tells.
    await plain('rollback').catch(() => undefined);
    throw error;
  }
}
