import { TransactionPropagation } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';

/** What PostgreSQL says when two transactions met. */
const COLLISION = Object.assign(new Error('deadlock detected (on purpose)'), { code: '40P01' });

const original = EntityManager.prototype.transactional;
const undone = new WeakSet<object>();

/**
 * From now on every transaction of a use case collides once, after all its work and before the commit, and is done again:
 * whatever it changes but the database shows as done twice (`TEST_TRANSACTIONS=twice`).
 */
export function doTransactionsTwice(): void {
  EntityManager.prototype.transactional = async function (this: EntityManager, work, options) {
    const isUseCase = options?.propagation === TransactionPropagation.REQUIRED && !this.isInTransaction();
    if (!isUseCase || undone.has(work)) return original.call(this, work as never, options) as never;
    undone.add(work);
    const collide = async (em: EntityManager) => {
      await work(em as never);
      await em.flush();
      throw COLLISION;
    };
    return original.call(this, collide as never, options) as never;
  } as typeof original;
}
