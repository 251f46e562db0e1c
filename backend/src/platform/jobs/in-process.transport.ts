import { Injectable, Logger } from '@nestjs/common';
import { JobRunner } from './running/job-runner.js';
import { JobNotifier } from './job-notifier.js';
import { JobTimings } from './running/job-timings.js';
import { WorkerHeartbeat } from './running/worker-heartbeat.js';
import { queues, type QueueName } from './queues.js';

/**
 * Delivers due jobs from the database to this process's runner, between `start` and `stop`. The row decides whether a
 * job runs; a transport only says when to look. So no job is lost if a transport loses its data.
 */
export abstract class JobTransport {
  abstract start(): Promise<void>;
  /** Resolves when no more jobs will be claimed; running jobs continue. */
  abstract stop(): Promise<void>;
}

/** State of a queue's poller: running jobs, the current poll, and whether another poll is requested. */
interface QueuePoller {
  active: number;
  polling: Promise<void> | null;
  isPollRequested: boolean;
}

/** Claims due jobs of a queue in batches: on notification, when a job ends, and when the poll of every second finds some. */
@Injectable()
export class InProcessTransport extends JobTransport {
  private readonly logger = new Logger('Jobs');
  private readonly pollers = new Map<QueueName, QueuePoller>();
  private pollTimer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | null = null;
  private isRunning = false;
  /** Whether the current failure has been logged. */
  private isFailing = false;

  constructor(
    private readonly runner: JobRunner,
    private readonly jobNotifier: JobNotifier,
    private readonly timings: JobTimings,
    private readonly heartbeat: WorkerHeartbeat,
  ) {
    super();
    for (const queue of Object.keys(queues)) {
      this.pollers.set(queue as QueueName, { active: 0, polling: null, isPollRequested: false });
    }
  }

  override async start(): Promise<void> {
    this.isRunning = true;
    for (const queue of this.pollers.keys()) this.heartbeat.registerPoller(queue);
    await this.jobNotifier.listen((queue) => this.pollQueue(queue));
    this.pollTimer = setInterval(() => void this.poll(), this.timings.pollInterval);
    await this.poll();
  }

  override async stop(): Promise<void> {
    this.isRunning = false;
    clearInterval(this.pollTimer);
    this.jobNotifier.stopListening();
    await this.polling;
    await Promise.all([...this.pollers.values()].map((poller) => poller.polling));
  }

  private poll(): Promise<void> {
    return (this.polling ??= this.pollDueQueues().finally(() => (this.polling = null)));
  }

  private async pollDueQueues(): Promise<void> {
    let due: ReadonlySet<QueueName> | null = null;
    try {
      due = await this.runner.pollQueues('due');
      this.isFailing = false;
    } catch (error) {
      this.logFailure(error);
    }
    for (const [queue, poller] of this.pollers) {
      if (due?.has(queue)) this.pollQueue(queue);
      // A claim in progress records the poll itself when it returns.
      else if (!poller.polling) this.heartbeat.recordPoll(queue, due !== null);
    }
  }

  private pollQueue(queue: QueueName): void {
    const poller = this.pollers.get(queue)!;
    if (poller.polling) {
      poller.isPollRequested = true;
      return;
    }
    poller.polling = this.claimJobs(queue, poller).finally(() => {
      poller.polling = null;
      if (poller.isPollRequested) this.pollQueue(queue);
    });
  }

  private async claimJobs(queue: QueueName, poller: QueuePoller): Promise<void> {
    try {
      do {
        poller.isPollRequested = false;
        const free = queues[queue].concurrency - poller.active;
        if (!this.isRunning) return;
        // All slots of the queue are in use, so there is nothing to claim.
        const jobs = free > 0 ? await this.runner.claim([queue], free) : [];
        this.heartbeat.recordPoll(queue, true);
        if (free <= 0) return;
        this.isFailing = false;
        for (const job of jobs) {
          poller.active += 1;
          void this.runner.run(job).finally(() => {
            poller.active -= 1;
            this.pollQueue(queue);
          });
        }
      } while (poller.isPollRequested);
    } catch (error) {
      poller.isPollRequested = false;
      this.heartbeat.recordPoll(queue, false);
      this.logFailure(error);
    }
  }

  private logFailure(error: unknown): void {
    if (!this.isFailing) this.logger.warn({ err: error }, "Couldn't claim due jobs; polling continues.");
    this.isFailing = true;
  }
}
