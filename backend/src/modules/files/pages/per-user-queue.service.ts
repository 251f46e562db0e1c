import { Injectable } from '@nestjs/common';
import { drawingErrors } from '../../../platform/rendering/rendering.errors.js';

/** Wishes of one person that wait, the one under way included. */
const MAX_QUEUED = 32;

interface UserQueue {
  last: Promise<unknown>;
  count: number;
}

/**
 * What one person wants drawn or read is done one after the other, and what others want comes between: one process draws
 * for all, and whoever asks for many pages that take long would else have it for themselves while others are refused.
 */
@Injectable()
export class PerUserQueueService {
  private readonly queues = new Map<number, UserQueue>();

  /**
   * Does it when what this person has asked for before is done.
   * @throws DRAWING_BUSY when too much of theirs waits; as `work` does
   */
  async run<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const own = this.queues.get(userId) ?? { last: Promise.resolve(), count: 0 };
    if (own.count >= MAX_QUEUED) throw drawingErrors.DRAWING_BUSY();
    own.count++;
    this.queues.set(userId, own);
    const done = own.last.then(work);
    // Whoever waits does not fail with it; who asked for it is told below.
    own.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      own.count--;
      if (own.count === 0) this.queues.delete(userId);
    }
  }
}
