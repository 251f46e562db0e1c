import { Inject, Injectable, Logger } from '@nestjs/common';
import type Bull from 'bull';
import { withTimeout } from '../../clock/with-timeout.js';
import { BULL_QUEUES, REDIS_TIMEOUT, type BullQueues, type JobMessage } from './bull-queues.js';
import { InProcessTransport, JobTransport } from '../in-process.transport.js';
import { JobRunner } from '../running/job-runner.js';
import { JobNotifier } from '../job-notifier.js';
import { JobRepository, type DispatchedJob } from '../job.repository.js';
import { JobTimings } from '../running/job-timings.js';
import { WorkerHeartbeat } from '../running/worker-heartbeat.js';
import { maxMessagesOf, queues, type QueueName } from '../queues.js';

/** State of the dispatch loop of a queue: the current round, and what is requested after it. */
interface DispatchLoop {
  running: Promise<void> | null;
  isRequested: boolean;
  /** Whether to dispatch jobs that are due soon, too. */
  includesUpcoming: boolean;
}

/**
 * Distributes jobs to workers through Redis, up to each queue's concurrency. Messages about jobs that are due within a
 * minute, such as most retries, are sent ahead with a delay. Messages contain only ids, and the receiver claims the
 * row: a lost message is sent again, and a duplicate finds the row claimed. While Redis doesn't respond, this worker
 * polls the database instead.
 */
@Injectable()
export class BullTransport extends JobTransport {
  private readonly logger = new Logger('Jobs');
  private readonly dispatchLoops = new Map<QueueName, DispatchLoop>();
  private pollTimer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | null = null;
  private isRunning = false;
  /** Redis doesn't respond, so the database is polled. */
  private isRedisDown = false;
  private isConsuming = false;
  private resolveStopped!: () => void;
  /** Resolves at shutdown, so that pending messages no longer wait for their jobs. */
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
      // The next round detects a broken connection; the event must not end the process.
      bull.on('error', (error) => this.logger.debug({ err: error }, 'Redis failed.'));
    }
    if ((await this.runCommand(() => this.pingRedis())) !== null) this.consumeQueues();
    await this.redispatchAll();
    this.pollTimer = setInterval(() => void this.poll(), this.timings.pollInterval);
    void this.poll();
  }

  override async stop(): Promise<void> {
    this.isRunning = false;
    clearInterval(this.pollTimer);
    this.resolveStopped();
    await this.polling;
    if (this.isRedisDown) await this.fallback.stop();
    this.jobNotifier.stopListening();
    await Promise.all([...this.dispatchLoops.values()].map(({ running }) => running));
    await Promise.all([...this.bullQueues.values()].map((bull) => this.pauseQueue(bull)));
  }

  /**
   * Starts to receive messages. Only after Redis has responded once: Bull handles no rejection of a connection that is
   * closed before, which would end the process in a shutdown. For the same reason `process` is called here, not by a
   * `@Process` method, which Nest would register at the start (ADR 0007).
   */
  private consumeQueues(): void {
    if (this.isConsuming) return;
    this.isConsuming = true;
    for (const [name, bull] of this.bullQueues) this.consume(name, bull);
  }

  private consume(name: QueueName, bull: Bull.Queue<JobMessage>): void {
    bull.on('drained', () => this.requestDispatch(name));
    bull.process(queues[name].concurrency, ({ data }) => this.processMessage(name, data.id)).catch(() => undefined);
  }

  private async processMessage(name: QueueName, id: number): Promise<void> {
    if (!this.isRunning || this.isRedisDown) return;
    const job = await this.runner.claimOne(name, id);
    if (job) await Promise.race([this.runner.run(job), this.stopped]);
  }

  private poll(): Promise<void> {
    return (this.polling ??= this.pollOnce().finally(() => (this.polling = null)));
  }

  private async pollOnce(): Promise<void> {
    if (this.isRedisDown) return this.reconnect();
    // Detects an outage of Redis even if there are no jobs.
    if ((await this.runCommand(() => this.pingRedis())) === null) return;
    const found = await this.runner
      .pollQueues('undispatched')
      .catch((error: unknown) => this.logDispatchFailure(error));
    for (const name of this.bullQueues.keys()) {
      if (found?.has(name)) this.requestDispatch(name, true);
      // A dispatch in progress records the poll itself when it returns.
      else if (!this.dispatchLoops.get(name)?.running) this.heartbeat.recordPoll(name, found !== null);
    }
  }

  /** Dispatches everything that is due, at the start and after a Redis outage, because Redis may have lost its data. */
  private async redispatchAll(): Promise<void> {
    await this.jobRepository.clearDispatched().catch((error: unknown) => this.logDispatchFailure(error));
    await this.jobNotifier.listen((queue) => this.requestDispatch(queue));
  }

  /** Requests messages for all due jobs; with `ahead`, also for jobs that are due soon. */
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

  /** @returns false when the database query failed; an unavailable Redis is handled elsewhere */
  private async dispatch(
    name: QueueName,
    bull: Bull.Queue<JobMessage>,
    when: 'now' | 'soon',
    count: () => Promise<number>,
  ): Promise<boolean> {
    const messageCount = await this.runCommand(count);
    const maxMessages = maxMessagesOf(name);
    if (messageCount === null || messageCount >= maxMessages) return true;
    const jobs = await this.runner
      .markDispatched(name, when, maxMessages - messageCount)
      .catch((error: unknown) => this.logDispatchFailure(error));
    if (jobs?.length) await this.runCommand(() => bull.addBulk(jobs.map(toJobMessage)));
    return jobs !== null;
  }

  /** Returns the result of a Redis command, or null on failure, after which this worker continues without Redis. */
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
    this.logger.warn({ err: error }, 'Redis is unreachable; polling the database for jobs until it is back.');
    await this.fallback.start();
  }

  private async reconnect(): Promise<void> {
    try {
      await withTimeout(REDIS_TIMEOUT, this.pingRedis(), 'Redis took too long.');
    } catch {
      return;
    }
    if (!this.isRedisDown || !this.isRunning) return;
    this.isRedisDown = false;
    await this.fallback.stop();
    this.logger.log('Redis is reachable again.');
    this.consumeQueues();
    await this.redispatchAll();
  }

  private pingRedis(): Promise<string> {
    return this.bullQueues.get('default')!.client.ping();
  }

  /**
   * Stops receiving messages. If Redis doesn't respond, the connections are closed so that nothing waits for them
   * later.
   */
  private async pauseQueue(bull: Bull.Queue<JobMessage>): Promise<void> {
    await withTimeout(REDIS_TIMEOUT, bull.pause(true, true), 'Redis took too long.').catch(() => {
      for (const client of bull.clients) client.disconnect();
    });
  }

  private logDispatchFailure(error: unknown): null {
    this.logger.warn({ err: error }, "Couldn't dispatch due jobs; polling continues.");
    return null;
  }
}

/** The message id is made of the job's id and due time, so that an existing message isn't duplicated. */
const toJobMessage = ({ id, runAt, wait }: DispatchedJob) => ({
  data: { id },
  opts: { jobId: `${id}-${runAt.getTime()}`, delay: Math.ceil(wait) },
});
