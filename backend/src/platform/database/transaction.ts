import { setTimeout } from 'node:timers/promises';
import { TransactionPropagation, helper, type AnyEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionConflicts, isRetryableError, isLockTimeout } from './transaction-conflicts.js';

/** How often a transaction that met another one is done again, and the longest wait before that, in milliseconds. */
const MAX_RETRIES = 3;
const MAX_RETRY_DELAY = 50;

/**
 * Runs a use case in one transaction, joining the one under way if there is one.
 *
 * When PostgreSQL ends it because it met another one (a deadlock, 40P01; a serialization failure, 40001), it is done
 * again, up to three times. So `work` may be called several times: it changes nothing but the database, and what it
 * writes elsewhere (a variable outside, a file, a mail) waits until this has resolved.
 * @param work must use the entity manager that it is given
 */
export async function inTransaction<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const attempt = () => em.transactional(work, { propagation: TransactionPropagation.REQUIRED });
  if (em.isInTransaction()) return attempt();
  const restoreEntities = snapshotEntities(em);
  for (let attempts = 0; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryableError(error)) throw error;
      transactionConflicts.inc({ outcome: attempts === MAX_RETRIES ? 'given-up' : 'again' });
      if (attempts === MAX_RETRIES) throw error;
      restoreEntities();
      // Those that met must not meet again at once.
      await setTimeout(Math.random() * MAX_RETRY_DELAY * (attempts + 1));
    }
  }
}

/** How often a part of a long list waits for a lock, each time as long as `lock_timeout` says. */
const MAX_LOCK_ATTEMPTS = 3;

/**
 * Does a transaction again that was not given a lock in time, up to three times in all. For one part of a list whose
 * earlier parts are committed: whoever gives up there leaves the list half done, and a lock that takes a few seconds (a
 * large zone is being deleted) is no reason to. Everybody else is told to come again.
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
 * Remembers the entities that a transaction is begun with, so that it can be done again: what its first try wrote counts
 * for the mapper as written, although it was undone, and the second try would leave it out.
 * @returns what puts them back as they are now
 */
export function snapshotEntities(em: EntityManager): () => void {
  // Also of the global one, which holds nothing but is what a job outside a request would be given.
  const restorers = [...em.getContext(false).getUnitOfWork(false).getIdentityMap()].map((entity) =>
    snapshotEntity(entity as AnyEntity),
  );
  return () => {
    for (const restore of restorers) restore();
  };
}

function snapshotEntity(entity: AnyEntity): () => void {
  const wrapped = helper(entity) as unknown as { __originalEntityData?: object; __data: object };
  const original = wrapped.__originalEntityData && { ...wrapped.__originalEntityData };
  const values = Object.entries(entity);
  return () => {
    if (original) wrapped.__originalEntityData = original;
    for (const [name, value] of values) if (entity[name] !== value) entity[name] = value;
  };
}
