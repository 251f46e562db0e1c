import { AsyncLocalStorage } from 'node:async_hooks';
import { timeouts } from './timeouts.js';

const statementLimits = new AsyncLocalStorage<number>();

/**
 * Runs `work` with a higher time limit per statement, in milliseconds, for statements that read or count whole tables.
 */
export function withStatementLimit<T>(milliseconds: number, work: () => T): T {
  return statementLimits.run(milliseconds, work);
}

/** Returns the limit of the enclosing `withStatementLimit`, in milliseconds. */
export function declaredStatementLimit(): number | undefined {
  return statementLimits.getStore();
}

/** Returns the time limit of a statement in the current context, in milliseconds. */
export function statementLimit(): number {
  return declaredStatementLimit() ?? timeouts.statement;
}
