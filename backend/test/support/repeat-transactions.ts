import { TransactionPropagation } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';

/** The error PostgreSQL reports for a deadlock. */
const DEADLOCK_ERROR = Object.assign(new Error('deadlock detected (on purpose)'), { code: '40P01' });

const original = EntityManager.prototype.transactional;
const rolledBack = new WeakSet<object>();

/**
 * Makes every transaction fail once with a deadlock, after its work and before the commit, so that it is retried. Side
 * effects outside the database then show as happening twice (`TEST_TRANSACTIONS=twice`).
 */
export function repeatTransactions(): void {
  EntityManager.prototype.transactional = async function (this: EntityManager, work, options) {
    const isUseCase = options?.propagation === TransactionPropagation.REQUIRED && !this.isInTransaction();
    if (!isUseCase || rolledBack.has(work)) return original.call(this, work as never, options) as never;
    rolledBack.add(work);
    const failBeforeCommit = async (em: EntityManager) => {
      await work(em as never);
      await em.flush();
      throw DEADLOCK_ERROR;
    };
    return original.call(this, failBeforeCommit as never, options) as never;
  } as typeof original;
}
