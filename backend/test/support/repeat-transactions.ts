import { TransactionPropagation } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';

/** What PostgreSQL says when two transactions met. */
const DEADLOCK_ERROR = Object.assign(new Error('deadlock detected (on purpose)'), { code: '40P01' });

const original = EntityManager.prototype.transactional;
const rolledBack = new WeakSet<object>();

/**
 * From now on every transaction of a use case collides once, after all its work and before the commit, and is done again:
 * whatever it changes but the database shows as done twice (`TEST_TRANSACTIONS=twice`).
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
