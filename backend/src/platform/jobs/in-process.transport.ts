import { Injectable, Logger } from '@nestjs/common';
import { JobRunner } from './running/job-runner.js';
import { JobSignal } from './job-signal.js';
import { JobTimings } from './running/job-timings.js';
import { WorkerPulse } from './running/worker-pulse.js';
import { queues, type QueueName } from './queues.js';

/**
 * Brings due jobs from the database to the runner of this process, from `start` until `stop`. The row decides
 * whether a job runs: a transport only says when to look, so losing everything it holds loses no job.
 */
export abstract class JobTransport {
  abstract start(): Promise<void>;
  /** Resolves when no further job will be claimed; those under way go on. */
  abstract stop(): Promise<void>;
}

/** Where one queue stands: jobs under way, the look under way, and whether another is wanted after it. */
interface Lane {
  active: number;
  looking: Promise<void> | null;
  again: boolean;
}

/** Claims due jobs in batches when a signal comes, when a job ends, and each second. */
@Injectable()
export class InProcessTransport extends JobTransport {
  private readonly logger = new Logger('Jobs');
  private readonly lanes = new Map<QueueName, Lane>();
  private poll: NodeJS.Timeout | undefined;
  private running = false;
  /** The last look failed, and that has been logged. */
  private failing = false;

  constructor(
    private readonly runner: JobRunner,
    private readonly signal: JobSignal,
    private readonly timings: JobTimings,
    private readonly pulse: WorkerPulse,
  ) {
    super();
    for (const queue of Object.keys(queues)) {
      this.lanes.set(queue as QueueName, { active: 0, looking: null, again: false });
    }
  }

  override async start(): Promise<void> {
    this.running = true;
    for (const queue of this.lanes.keys()) this.pulse.expect(queue);
    await this.signal.listen((queue) => this.look(queue));
    this.poll = setInterval(() => this.lookEverywhere(), this.timings.poll);
    this.lookEverywhere();
  }

  override async stop(): Promise<void> {
    this.running = false;
    clearInterval(this.poll);
    this.signal.silence();
    await Promise.all([...this.lanes.values()].map((lane) => lane.looking));
  }

  private lookEverywhere(): void {
    for (const queue of this.lanes.keys()) this.look(queue);
  }

  private look(queue: QueueName): void {
    const lane = this.lanes.get(queue)!;
    if (lane.looking) {
      lane.again = true;
      return;
    }
    lane.looking = this.fill(queue, lane).finally(() => {
      lane.looking = null;
      if (lane.again) this.look(queue);
    });
  }

  private async fill(queue: QueueName, lane: Lane): Promise<void> {
    try {
      do {
        lane.again = false;
        const free = queues[queue].concurrency - lane.active;
        if (!this.running) return;
        // A lane whose places are all in use has nothing to look for.
        const jobs = free > 0 ? await this.runner.claim([queue], free) : [];
        this.pulse.cameBack(queue, true);
        if (free <= 0) return;
        this.failing = false;
        for (const job of jobs) {
          lane.active += 1;
          void this.runner.run(job).finally(() => {
            lane.active -= 1;
            this.look(queue);
          });
        }
      } while (lane.again);
    } catch (error) {
      lane.again = false;
      this.pulse.cameBack(queue, false);
      if (!this.failing) this.logger.warn({ err: error, queue }, 'Due jobs cannot be claimed; looking goes on.');
      this.failing = true;
    }
  }
}
