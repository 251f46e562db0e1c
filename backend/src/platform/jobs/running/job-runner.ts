import { MikroORM, RequestContext } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { runInPoolPartition } from '../../database/pool/pool-partitioning.js';
import { JobHandlerRegistry } from '../job-handler-registry.js';
import { describeFailure } from './describe-failure.js';
import { JobRepository, type ClaimedJob, type DispatchedJob, type PollTarget } from '../job.repository.js';
import { JobTimings } from './job-timings.js';
import { queues, type QueueName } from '../queues.js';

interface RunningJob {
  readonly abort: AbortController;
  readonly finished: Promise<unknown>;
}

export interface JobFailure {
  readonly job: string;
  readonly jobId: number;
  readonly error: unknown;
}

export interface DrainReport {
  /** Attempts, including failed ones. */
  readonly ran: number;
  readonly failures: JobFailure[];
}

const allQueues = Object.keys(queues) as QueueName[];

/** Runs claimed jobs and records their results. The transport delivers them. */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger('Jobs');
  private readonly running = new Map<string, RunningJob>();
  private heartbeatTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly orm: MikroORM,
    private readonly jobRepository: JobRepository,
    private readonly handlers: JobHandlerRegistry,
    private readonly timings: JobTimings,
  ) {}

  /**
   * Requeues jobs of crashed workers.
   * @returns the queues with jobs that this process knows: those to run now, or those for which a message must be sent
   */
  async pollQueues(target: PollTarget): Promise<ReadonlySet<QueueName>> {
    const { queues, reclaimed } = await this.jobRepository.pollQueues(this.handlers.names, target);
    if (reclaimed > 0) this.logger.warn({ count: reclaimed }, 'Requeued the jobs of a worker that died.');
    return queues;
  }

  /** Claims up to `limit` due jobs of the queues, of those this process knows. */
  claim(queues: QueueName[], limit: number): Promise<ClaimedJob[]> {
    return this.jobRepository.claim({ queues, names: this.handlers.names, limit });
  }

  /** Claims the job named by a message; null when it is finished, claimed by another, or no longer due. */
  async claimOne(queue: QueueName, id: number): Promise<ClaimedJob | null> {
    const [job] = await this.jobRepository.claim({ queues: [queue], names: this.handlers.names, limit: 1, ids: [id] });
    return job ?? null;
  }

  /** Returns up to `limit` jobs of a queue, due now or soon, for which messages must be sent now. */
  markDispatched(queue: QueueName, when: 'now' | 'soon', limit: number): Promise<DispatchedJob[]> {
    return this.jobRepository.markDispatched({ queues: [queue], names: this.handlers.names, limit }, when);
  }

  /** Runs a claimed job. Never rejects: a failure is recorded with the job and returned. */
  async run(job: ClaimedJob): Promise<JobFailure | null> {
    const abort = new AbortController();
    const ended = this.runHandler(job, abort.signal);
    this.running.set(job.token, { abort, finished: ended });
    this.heartbeatTimer ??= setInterval(() => void this.sendHeartbeat(), this.timings.heartbeatInterval);
    try {
      return await ended;
    } finally {
      this.running.delete(job.token);
      if (this.running.size === 0) this.stopHeartbeat();
    }
  }

  /**
   * Waits for running jobs for at most the grace period. Those that still run are then aborted and requeued for other
   * workers. Call this after the transport has stopped.
   */
  async stop(): Promise<void> {
    const limit = AbortSignal.timeout(this.timings.shutdownGrace);
    const graceExpired = new Promise<void>((resolve) =>
      limit.addEventListener('abort', () => resolve(), { once: true }),
    );
    await Promise.race([Promise.all([...this.running.values()].map((run) => run.finished)), graceExpired]);
    const unfinished = [...this.running.entries()];
    for (const [, run] of unfinished) run.abort.abort();
    this.stopHeartbeat();
    await this.jobRepository.release(unfinished.map(([token]) => token));
  }

  /**
   * Runs all jobs that are due, and those they enqueue, one at a time in a fixed order, until none is due. Used by
   * tests in place of a worker. Retries are due only after the clock has moved.
   * @throws AggregateError of all failures, unless `tolerant`
   */
  async drain({ tolerant: ignoreFailures = false } = {}): Promise<DrainReport> {
    await this.pollQueues('due');
    const failures: JobFailure[] = [];
    let ran = 0;
    for (;;) {
      const [job] = await this.claim(allQueues, 1);
      if (!job) break;
      ran += 1;
      const failure = await this.run(job);
      if (failure) failures.push(failure);
    }
    if (failures.length > 0 && !ignoreFailures) {
      const names = failures.map(({ job, error }) => `${job}: ${error instanceof Error ? error.message : error}`);
      throw new AggregateError(
        failures.map(({ error }) => error),
        `Jobs failed. ${names.join('; ')}`,
      );
    }
    return { ran, failures };
  }

  private async runHandler(job: ClaimedJob, signal: AbortSignal): Promise<JobFailure | null> {
    try {
      const context = { id: job.id, attempt: job.attempt, isLastAttempt: job.attempt >= job.maxAttempts, signal };
      await RequestContext.create(this.orm.em, () => this.handlers.handlerOf(job.name)(job.payload, context));
      await this.jobRepository.deleteFinished(job);
      return null;
    } catch (error) {
      await this.recordFailure(job, error);
      return { job: job.name, jobId: job.id, error };
    }
  }

  private async recordFailure(job: ClaimedJob, error: unknown): Promise<void> {
    const failure = describeFailure(error);
    const facts = { job: job.name, jobId: job.id, attempt: job.attempt, failure };
    try {
      const state = await this.jobRepository.recordFailure(job, failure);
      if (state === 'dead') this.logger.error(facts, 'Job failed its last attempt and is dead.');
      else this.logger.warn(facts, 'Job failed; it will be retried.');
    } catch (recordingError) {
      this.logger.error(
        { ...facts, err: recordingError },
        "Couldn't record a failed job; it runs again when its lease expires.",
      );
    }
  }

  private async sendHeartbeat(): Promise<void> {
    const tokens = [...this.running.keys()];
    try {
      const held = await runInPoolPartition('heartbeats', () => this.jobRepository.extendLeases(tokens));
      for (const token of tokens) if (!held.has(token)) this.running.get(token)?.abort.abort();
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't renew job leases.");
    }
  }

  private stopHeartbeat(): void {
    clearInterval(this.heartbeatTimer);
    this.heartbeatTimer = undefined;
  }
}
