import { Inject, Injectable, Logger } from '@nestjs/common';
import type Bull from 'bull';
import { withTimeout } from '../../clock/with-timeout.js';
import {
  BULL_QUEUES,
  ignoreSubscribeRejections,
  REDIS_TIMEOUT,
  type BullQueues,
  type JobMessage,
  type BullSubscriber,
} from './bull-queues.js';
import { InProcessTransport, JobTransport } from '../in-process.transport.js';
import { JobRunner } from '../running/job-runner.js';
import { JobNotifier } from '../job-notifier.js';
import { JobRepository, type DispatchedJob } from '../job.repository.js';
import { JobTimings } from '../running/job-timings.js';
import { WorkerHeartbeat } from '../running/worker-heartbeat.js';
import { maxMessagesOf, queues, type QueueName } from '../queues.js';

/** Where the relay of one queue stands: the round under way, and what is wanted after it. */
interface DispatchLoop {
  running: Promise<void> | null;
  isRequested: boolean;
  /** Whether jobs that are due soon are to be looked for too. */
  includesUpcoming: boolean;
}

/**
 * Hands jobs to workers through Redis, as many at once as their queue allows. A message about a job that is due within the
 * minute, which the next try of a failed one mostly is, is sent ahead and kept by Redis until then. Messages carry ids only,
 * and whoever gets one claims the row: a lost message is sent again, a doubled one finds the row taken. While Redis does not
 * answer, this worker looks into the database by itself.
 */
@Injectable()
export class BullTransport extends JobTransport {
  private readonly logger = new Logger('Jobs');
  private readonly dispatchLoops = new Map<QueueName, DispatchLoop>();
  private pollTimer: NodeJS.Timeout | undefined;
  private isRunning = false;
  /** Redis does not answer: the database is looked into instead. */
  private isRedisDown = false;
  private resolveStopped!: () => void;
  /** Resolved at the stop: no message is held back for the job that it is about. */
  private readonly stopped = new Promise<void>((resolve) => (this.resolveStopped = resolve));

  constructor(
    @Inject(BULL_QUEUES) private readonly bullQueues: BullQueues,
    private readonly runner: JobRunner,
    private readonly jobRepository: JobRepository,
    private readonly jobNotifier: JobNotifier,
    private readonly timings: JobTimings,
    private readonly fallback: InProcessTransport,
    private readonly heartbeat: WorkerHeartbeat,
  ) {
    super();
  }

  override async start(): Promise<void> {
    this.isRunning = true;
    for (const [name, bull] of this.bullQueues) {
      this.heartbeat.registerPoller(name);
      this.consume(name, bull);
    }
    await this.redispatchAll();
    this.pollTimer = setInterval(() => this.pollOnce(), this.timings.pollInterval);
  }

  override async stop(): Promise<void> {
    this.isRunning = false;
    clearInterval(this.pollTimer);
    this.resolveStopped();
    if (this.isRedisDown) await this.fallback.stop();
    this.jobNotifier.stopListening();
    await Promise.all([...this.dispatchLoops.values()].map(({ running }) => running));
    await Promise.all([...this.bullQueues.values()].map((bull) => this.pauseQueue(bull)));
  }

  private consume(name: QueueName, bull: Bull.Queue<JobMessage>): void {
    // What a broken connection means is judged by the next round; it must not end the process.
    bull.on('error', (error) => this.logger.debug({ err: error }, 'Redis failed.'));
    ignoreSubscribeRejections(bull as unknown as BullSubscriber);
    bull.on('drained', () => this.requestDispatch(name));
    bull.process(queues[name].concurrency, ({ data }) => this.processMessage(name, data.id)).catch(() => undefined);
  }

  private async processMessage(name: QueueName, id: number): Promise<void> {
    if (!this.isRunning || this.isRedisDown) return;
    const job = await this.runner.claimOne(name, id);
    if (job) await Promise.race([this.runner.run(job), this.stopped]);
  }

  private pollOnce(): void {
    if (this.isRedisDown) void this.reconnect();
    else for (const name of this.bullQueues.keys()) this.requestDispatch(name, true);
  }

  /** Announces everything that is due, at the start and when Redis has come back: it may have been emptied. */
  private async redispatchAll(): Promise<void> {
    await this.jobRepository.clearDispatched().catch((error: unknown) => this.logDispatchFailure(error));
    await this.jobNotifier.listen((queue) => this.requestDispatch(queue));
  }

  /** Sends messages about what is due, and with `ahead` about what is due soon. */
  private requestDispatch(name: QueueName, ahead = false): void {
    const loop = this.dispatchLoops.get(name) ?? { running: null, isRequested: false, includesUpcoming: false };
    this.dispatchLoops.set(name, loop);
    loop.isRequested = true;
    loop.includesUpcoming ||= ahead;
    loop.running ??= this.runDispatchLoop(name, loop).finally(() => {
      loop.running = null;
    });
  }

  private async runDispatchLoop(name: QueueName, loop: DispatchLoop): Promise<void> {
    while (loop.isRequested && this.isRunning && !this.isRedisDown) {
      const { includesUpcoming } = loop;
      loop.isRequested = loop.includesUpcoming = false;
      const bull = this.bullQueues.get(name)!;
      let succeeded = await this.dispatch(name, bull, 'now', () => bull.getWaitingCount());
      if (includesUpcoming)
        succeeded = (await this.dispatch(name, bull, 'soon', () => bull.getDelayedCount())) && succeeded;
      this.heartbeat.recordPoll(name, succeeded);
    }
  }

  /** @returns false when the database could not be looked into; without Redis others look there */
  private async dispatch(
    name: QueueName,
    bull: Bull.Queue<JobMessage>,
    when: 'now' | 'soon',
    count: () => Promise<number>,
  ): Promise<boolean> {
    const there = await this.runCommand(count);
    const most = maxMessagesOf(name);
    if (there === null || there >= most) return true;
    const jobs = await this.runner
      .markDispatched(name, when, most - there)
      .catch((error: unknown) => this.logDispatchFailure(error));
    if (jobs?.length) await this.runCommand(() => bull.addBulk(jobs.map(toJobMessage)));
    return jobs !== null;
  }

  /** The answer of Redis; null when there is none, and this worker then goes on without it. */
  private async runCommand<T>(command: () => Promise<T>): Promise<T | null> {
    try {
      return await withTimeout(REDIS_TIMEOUT, command(), 'Redis took too long.');
    } catch (error) {
      await this.fallBackToDatabase(error);
      return null;
    }
  }

  private async fallBackToDatabase(error: unknown): Promise<void> {
    if (this.isRedisDown || !this.isRunning) return;
    this.isRedisDown = true;
    this.logger.warn({ err: error }, 'Redis does not answer; until it does, jobs are looked for in the database.');
    await this.fallback.start();
  }

  private async reconnect(): Promise<void> {
    try {
      await withTimeout(REDIS_TIMEOUT, this.bullQueues.get('default')!.client.ping(), 'Redis took too long.');
    } catch {
      return;
    }
    if (!this.isRedisDown || !this.isRunning) return;
    this.isRedisDown = false;
    await this.fallback.stop();
    this.logger.log('Redis answers again.');
    await this.redispatchAll();
  }

  /** Takes no further message. Without Redis the connections end, so that nothing waits for them later. */
  private async pauseQueue(bull: Bull.Queue<JobMessage>): Promise<void> {
    await withTimeout(REDIS_TIMEOUT, bull.pause(true, true), 'Redis took too long.').catch(() => {
      for (const client of bull.clients) client.disconnect();
    });
  }

  private logDispatchFailure(error: unknown): null {
    this.logger.warn({ err: error }, 'Due jobs cannot be announced; looking goes on.');
    return null;
  }
}

/** A message that is still there is not doubled: it is named by its job and by when that is due. */
const toJobMessage = ({ id, runAt, wait }: DispatchedJob) => ({
  data: { id },
  opts: { jobId: `${id}-${runAt.getTime()}`, delay: Math.ceil(wait) },
});
