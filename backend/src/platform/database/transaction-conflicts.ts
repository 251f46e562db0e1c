import { Counter } from 'prom-client';

/** PostgreSQL: two transactions met, and one of them was chosen to try again. */
const CONFLICT_CODES = /^(40001|40P01)$/;

/** Transactions that met another one and were ended by PostgreSQL, by what became of them. */
export const transactionConflicts = new Counter({
  name: 'zonary_transaction_collisions_total',
  help: 'Transactions that PostgreSQL ended because they met another one: tried again, or given up after the last try.',
  labelNames: ['outcome'],
  registers: [],
});
for (const outcome of ['again', 'given-up']) transactionConflicts.inc({ outcome }, 0);

/** True of a deadlock and of a serialization failure: nothing of the transaction was kept, and it may be done again. */
export function isRetryableError(error: unknown): boolean {
  return hasCode(error, CONFLICT_CODES);
}

/** PostgreSQL: another transaction held a lock for longer than `lock_timeout`. */
const LOCK_TIMEOUT_CODES = /^55P03$/;

/** True when a lock was not given in time: nothing of the transaction was kept, and it may be done again. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, LOCK_TIMEOUT_CODES);
}

function hasCode(error: unknown, codes: RegExp): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return (typeof code === 'string' && codes.test(code)) || (cause != null && hasCode(cause, codes));
}
