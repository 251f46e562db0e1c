import { drawingErrors } from '../rendering.errors.js';
import type { FairSchedulerService } from './fair-scheduler.service.js';

interface QueuedTask {
  readonly owner: number;
  /** Does it; never rejects. */
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
}

/**
 * Works of which one is done at a time. Next comes the one whose owner has taken least lately, so that nobody waits for more
 * than the one under way because of what another has ordered. When too many wait, whoever has most of them gives way.
 */
export class RenderQueue {
  private readonly queue: QueuedTask[] = [];
  private isRunning = false;
  private draining: Promise<void> | null = null;

  /** @param limits `wishes`: works at most, the one under way included */
  constructor(
    private readonly scheduler: FairSchedulerService,
    private readonly limits: { readonly maxQueued: number },
  ) {}

  /**
   * Does a work when it is its turn. @throws DRAWING_BUSY, also later when others need the place; what the work throws
   */
  async run<T>(owner: number, work: () => Promise<T>): Promise<T> {
    this.evictIfFull(owner);
    return new Promise<T>((resolve, reject) => {
      const begin = () =>
        this.scheduler
          .measure(owner, work)
          .finally(() => (this.isRunning = false))
          .then(resolve, reject);
      this.queue.push({ owner, start: begin, reject: reject });
      this.draining ??= this.drainQueue();
    });
  }

  /** Resolves when nothing is under way and nothing waits. */
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

  /** Takes out whose turn it is: of equals who came first. */
  private takeNext(): QueuedTask | undefined {
    const used = this.queue.map(({ owner }) => this.scheduler.usageOf(owner));
    const [next] = this.queue.splice(used.indexOf(Math.min(...used)), 1);
    return next;
  }

  private evictIfFull(owner: number): void {
    if (this.queue.length + Number(this.isRunning) < this.limits.maxQueued) return;
    const counts = new Map<number, number>();
    for (const { owner: one } of this.queue) counts.set(one, (counts.get(one) ?? 0) + 1);
    const most = Math.max(0, ...counts.values());
    if ((counts.get(owner) ?? 0) + 1 >= most) throw drawingErrors.DRAWING_BUSY();
    const at = this.queue.findLastIndex(({ owner: one }) => counts.get(one) === most);
    const [last] = this.queue.splice(at, 1);
    last!.reject(drawingErrors.DRAWING_BUSY());
  }
}
