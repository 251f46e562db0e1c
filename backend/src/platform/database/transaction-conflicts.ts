import { Counter } from 'prom-client';

/** Serialization failure and deadlock. */
const CONFLICT_CODES = /^(40001|40P01)$/;

/** Transactions that PostgreSQL aborted because of a conflict, by outcome. */
export const transactionConflicts = new Counter({
  name: 'zonary_transaction_conflicts_total',
  help: 'Transactions that PostgreSQL aborted because of a conflict, by outcome: retried, or failed after the last attempt.',
  labelNames: ['outcome'],
  registers: [],
});
for (const outcome of ['retried', 'failed']) transactionConflicts.inc({ outcome }, 0);

/** True for a deadlock or a serialization failure. The transaction was rolled back and can be retried. */
export function isRetryableError(error: unknown): boolean {
  return hasCode(error, CONFLICT_CODES);
}

/** Another transaction held a lock for longer than `lock_timeout`. */
const LOCK_TIMEOUT_CODES = /^55P03$/;

/** True for a lock timeout. The transaction was rolled back and can be retried. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, LOCK_TIMEOUT_CODES);
}

function hasCode(error: unknown, codes: RegExp): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return (typeof code === 'string' && codes.test(code)) || (cause != null && hasCode(cause, codes));
}
