import { TransactionPropagation } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Runs a use case in one transaction, joining the one under way if there is one.
 * Everything inside must use the entity manager that it is given.
 */
export function inTransaction<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return em.transactional(work, { propagation: TransactionPropagation.REQUIRED });
}
