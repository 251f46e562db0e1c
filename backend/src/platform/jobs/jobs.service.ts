import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { JobDefinition } from './job-definition.js';
import { JobNotifier } from './job-notifier.js';
import { JobRepository, type NewJob } from './job.repository.js';

export interface EnqueueOptions {
  /** Earliest time to run; immediately by default. */
  readonly runAt?: Date;
  /** Lower values run first; 0 by default. */
  readonly priority?: number;
}

/** Enqueues work to be done after the commit. */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobRepository: JobRepository,
    private readonly jobNotifier: JobNotifier,
  ) {}

  /**
   * Enqueues a job in the transaction of `em`: it runs only if that commits. Without a transaction it runs soon.
   * Delivery is at least once, in no guaranteed order.
   * @param payload ids, never a secret, a token or a code: it is stored and shown to admins
   */
  async enqueue<P extends object>(
    em: EntityManager,
    definition: JobDefinition<P>,
    payload: P,
    options: EnqueueOptions = {},
  ): Promise<void> {
    await this.enqueueRevocable(em, definition, payload, options);
  }

  /**
   * Enqueues a job for work that may also be done earlier, elsewhere. The code that does it deletes the job in the same
   * transaction.
   * @returns the job id to pass to `JobRepository.deleteJob`
   */
  async enqueueRevocable<P extends object>(
    em: EntityManager,
    definition: JobDefinition<P>,
    payload: P,
    options: EnqueueOptions = {},
  ): Promise<number> {
    const id = await this.jobRepository.insertJob(em, toNewJob(definition, options), payload);
    this.jobNotifier.notify(em, definition.queue);
    return id;
  }

  /** Enqueues one job per payload in a single statement; for hundreds of jobs. */
  async enqueueMany<P extends object>(
    em: EntityManager,
    definition: JobDefinition<P>,
    payloads: readonly P[],
    options: EnqueueOptions = {},
  ): Promise<void> {
    if (payloads.length === 0) return;
    await this.jobRepository.insertJobs(em, toNewJob(definition, options), payloads);
    this.jobNotifier.notify(em, definition.queue);
  }
}

const toNewJob = ({ queue, name, maxAttempts }: JobDefinition, { priority, runAt }: EnqueueOptions): NewJob => ({
  queue,
  name,
  maxAttempts,
  priority: priority ?? 0,
  runAt: runAt ?? null,
});
