import { MikroORM, RequestContext } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { inLane } from '../../database/pool/places.js';
import { HandlerRegistry } from '../handler-registry.js';
import { describeFailure } from './job-error.js';
import { type AnnouncedJob, JobStore, type ClaimedJob } from '../job-store.js';
import { JobTimings } from './job-timings.js';
import { queues, type QueueName } from '../queues.js';

interface Run {
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
}

export interface JobFailure {
  readonly job: string;
  readonly jobId: number;
  readonly error: unknown;
}

export interface DrainReport {
  /** Tries, failed ones included. */
  readonly ran: number;
  readonly failures: JobFailure[];
}

const allQueues = Object.keys(queues) as QueueName[];

/** Does claimed jobs and records how they ended. How jobs come here is the transport's matter. */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger('Jobs');
  private readonly runs = new Map<string, Run>();
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(
    private readonly orm: MikroORM,
    private readonly store: JobStore,
    private readonly handlers: HandlerRegistry,
    private readonly timings: JobTimings,
  ) {}

  /** Claims up to `limit` due jobs of the queues that this process can do. */
  claim(queues: QueueName[], limit: number): Promise<ClaimedJob[]> {
    return this.store.claim({ queues, names: this.handlers.names, limit });
  }

  /** Claims one job that a message names; null when it is done, taken, or not due any more. */
  async claimOne(queue: QueueName, id: number): Promise<ClaimedJob | null> {
    const [job] = await this.store.claim({ queues: [queue], names: this.handlers.names, limit: 1, ids: [id] });
    return job ?? null;
  }

  /** Up to `limit` jobs of a queue, due now or soon, that messages are now to be sent about. */
  announce(queue: QueueName, when: 'now' | 'soon', limit: number): Promise<AnnouncedJob[]> {
    return this.store.announce({ queues: [queue], names: this.handlers.names, limit }, when);
  }

  /** Does one claimed job. Never rejects: a failure is recorded with the job and given back. */
  async run(job: ClaimedJob): Promise<JobFailure | null> {
    const abort = new AbortController();
    const ended = this.attempt(job, abort.signal);
    this.runs.set(job.token, { abort, ended });
    this.heartbeat ??= setInterval(() => void this.beat(), this.timings.heartbeat);
    try {
      return await ended;
    } finally {
      this.runs.delete(job.token);
      if (this.runs.size === 0) this.stopHeartbeat();
    }
  }

  /**
   * Waits for the jobs under way, at most the grace time; what still runs then is told to stop and given back to
   * other workers. Call it after the transport has stopped.
   */
  async stop(): Promise<void> {
    const limit = AbortSignal.timeout(this.timings.grace);
    const late = new Promise<void>((resolve) => limit.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([Promise.all([...this.runs.values()].map((run) => run.ended)), late]);
    const left = [...this.runs.entries()];
    for (const [, run] of left) run.abort.abort();
    this.stopHeartbeat();
    await this.store.release(left.map(([token]) => token));
  }

  /**
   * Does everything that is due now, and what that enqueues, one at a time in a fixed order, until nothing is due:
   * how tests do the work of a worker. Retries lie in the future; they are due once the clock has moved.
   * @throws AggregateError of what failed, unless `tolerant`
   */
  async drain({ tolerant = false } = {}): Promise<DrainReport> {
    await this.store.sweep();
    const failures: JobFailure[] = [];
    let ran = 0;
    for (;;) {
      const [job] = await this.claim(allQueues, 1);
      if (!job) break;
      ran += 1;
      const failure = await this.run(job);
      if (failure) failures.push(failure);
    }
    if (failures.length > 0 && !tolerant) {
      const names = failures.map(({ job, error }) => `${job}: ${error instanceof Error ? error.message : error}`);
      throw new AggregateError(
        failures.map(({ error }) => error),
        `Jobs failed. ${names.join('; ')}`,
      );
    }
    return { ran, failures };
  }

  private async attempt(job: ClaimedJob, signal: AbortSignal): Promise<JobFailure | null> {
    try {
      const context = { id: job.id, attempt: job.attempt, isLastAttempt: job.attempt >= job.maxAttempts, signal };
      await RequestContext.create(this.orm.em, () => this.handlers.handlerOf(job.name)(job.payload, context));
      await this.store.finish(job);
      return null;
    } catch (error) {
      await this.record(job, error);
      return { job: job.name, jobId: job.id, error };
    }
  }

  private async record(job: ClaimedJob, error: unknown): Promise<void> {
    const failure = describeFailure(error);
    const facts = { job: job.name, jobId: job.id, attempt: job.attempt, failure };
    try {
      const state = await this.store.fail(job, failure);
      if (state === 'dead') this.logger.error(facts, 'A job failed for the last time and is kept as dead.');
      else this.logger.warn(facts, 'A job failed and will be tried again.');
    } catch (fault) {
      this.logger.error({ ...facts, err: fault }, 'A failed job could not be recorded; it comes back with its lease.');
    }
  }

  private async beat(): Promise<void> {
    const tokens = [...this.runs.keys()];
    try {
      const held = await inLane('beats', () => this.store.extend(tokens));
      for (const token of tokens) if (!held.has(token)) this.runs.get(token)?.abort.abort();
    } catch (error) {
      this.logger.warn({ err: error }, 'Leases could not be prolonged.');
    }
  }

  private stopHeartbeat(): void {
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }
}
