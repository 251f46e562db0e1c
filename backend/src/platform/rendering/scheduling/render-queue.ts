import { renderingErrors } from '../rendering.errors.js';
import type { FairSchedulerService } from './fair-scheduler.service.js';

interface QueuedTask {
  readonly owner: number;
  /** Runs the task; never rejects. */
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
}

/**
 * Runs one task at a time. The next task is that of the owner with the least recent usage, so that nobody waits for
 * more than the running task because of another owner's backlog. When the queue is full, the owner with the most
 * waiting tasks loses one.
 */
export class RenderQueue {
  private readonly queue: QueuedTask[] = [];
  private isRunning = false;
  private draining: Promise<void> | null = null;

  /** @param limits `maxQueued` includes the running task */
  constructor(
    private readonly scheduler: FairSchedulerService,
    private readonly limits: { readonly maxQueued: number },
  ) {}

  /** Runs a task when it is its turn. @throws DRAWING_BUSY, also later if the task is evicted; errors of the task */
  async run<T>(owner: number, work: () => Promise<T>): Promise<T> {
    this.evictIfFull(owner);
    return new Promise<T>((resolve, reject) => {
      const start = () =>
        this.scheduler
          .measure(owner, work)
          .finally(() => (this.isRunning = false))
          .then(resolve, reject);
      this.queue.push({ owner, start, reject });
      this.draining ??= this.drainQueue();
    });
  }

  /** Resolves when no task is running or waiting. */
  async whenIdle(): Promise<void> {
    await this.draining;
  }

  private async drainQueue(): Promise<void> {
    for (let next = this.takeNext(); next; next = this.takeNext()) {
      this.isRunning = true;
      await next.start();
    }
    this.draining = null;
  }

  /** Removes and returns the next task; among equals, the oldest. */
  private takeNext(): QueuedTask | undefined {
    const used = this.queue.map(({ owner }) => this.scheduler.usageOf(owner));
    const [next] = this.queue.splice(used.indexOf(Math.min(...used)), 1);
    return next;
  }

  private evictIfFull(owner: number): void {
    if (this.queue.length + Number(this.isRunning) < this.limits.maxQueued) return;
    const counts = new Map<number, number>();
    for (const { owner: queuedOwner } of this.queue) counts.set(queuedOwner, (counts.get(queuedOwner) ?? 0) + 1);
    const maxCount = Math.max(0, ...counts.values());
    if ((counts.get(owner) ?? 0) + 1 >= maxCount) throw renderingErrors.DRAWING_BUSY();
    const index = this.queue.findLastIndex(({ owner: queuedOwner }) => counts.get(queuedOwner) === maxCount);
    const [last] = this.queue.splice(index, 1);
    last!.reject(renderingErrors.DRAWING_BUSY());
  }
}
