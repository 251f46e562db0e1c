import { setTimeout } from 'node:timers/promises';
import { TransactionPropagation } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionConflicts, isRetryableError, isLockTimeout } from './transaction-conflicts.js';

/** Maximum retries after a conflict, and the longest delay before the first of them, in milliseconds. */
const MAX_RETRIES = 3;
const MAX_RETRY_DELAY = 50;

/**
 * Runs a use case in a transaction, joining the current one if there is one.
 *
 * After a deadlock (40P01) or a serialization failure (40001) the transaction is retried up to three times. So `work`
 * may run several times: it must have no side effects except in the database. Side effects elsewhere (an outer
 * variable, a file, an email) have to wait until this resolves. Entities loaded before it must be changed within it,
 * because they are reloaded before each retry.
 * @param work must use the entity manager that it receives
 */
export async function inTransaction<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const attempt = () => em.transactional(work, { propagation: TransactionPropagation.REQUIRED });
  if (em.isInTransaction()) return attempt();
  for (let attempts = 0; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryableError(error)) throw error;
      transactionConflicts.inc({ outcome: attempts === MAX_RETRIES ? 'failed' : 'retried' });
      if (attempts === MAX_RETRIES) throw error;
      // Random delay, so that the conflicting transactions don't collide again.
      await setTimeout(Math.random() * MAX_RETRY_DELAY * (attempts + 1));
      await reloadEntities(em);
    }
  }
}

/** Maximum attempts for one part of a list; each waits as long as `lock_timeout`. */
const MAX_LOCK_ATTEMPTS = 3;

/**
 * Retries a transaction after a lock timeout, up to three attempts in all. For processing one part of a list whose
 * earlier parts are committed: giving up would leave the list half done, and locks of a few seconds (such as while a
 * large zone is deleted) are normal. All other operations return an error and let the client retry.
 */
export async function retryOnLockTimeout<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_LOCK_ATTEMPTS || !isLockTimeout(error)) throw error;
    }
  }
}

/**
 * Reloads the entities that were loaded before a transaction, so that it can be retried. The ORM considers the changes
 * of the failed attempt as written although they were rolled back, and would omit them in the next attempt.
 */
async function reloadEntities(em: EntityManager): Promise<void> {
  const known = em.fork({ clear: false }).getUnitOfWork().getIdentityMap();
  for (const entity of known) await em.refresh(entity);
}
