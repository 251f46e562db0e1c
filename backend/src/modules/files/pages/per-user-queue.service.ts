import { Injectable } from '@nestjs/common';
import { renderingErrors } from '../../../platform/rendering/rendering.errors.js';

/** Maximum number of queued requests per user, including the one in progress. */
const MAX_QUEUED = 32;

interface UserQueue {
  last: Promise<unknown>;
  count: number;
}

/**
 * Runs each user's rendering and extraction requests one at a time, interleaved with those of others. A single process
 * does all rendering, so a user who requests many slow pages would otherwise block everyone else.
 */
@Injectable()
export class PerUserQueueService {
  private readonly queues = new Map<number | string, UserQueue>();

  /**
   * Runs the work after the user's earlier requests.
   * @param userId id of the user; for guests of links, the key of a queue that they share
   * @throws DRAWING_BUSY if too many of the user's requests are queued; errors of `work`
   */
  async run<T>(userId: number | string, work: () => Promise<T>): Promise<T> {
    const own = this.queues.get(userId) ?? { last: Promise.resolve(), count: 0 };
    if (own.count >= MAX_QUEUED) throw renderingErrors.DRAWING_BUSY();
    own.count++;
    this.queues.set(userId, own);
    const done = own.last.then(work);
    // The next request in the queue must not fail with this one. The caller gets the error below.
    own.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      own.count--;
      if (own.count === 0) this.queues.delete(userId);
    }
  }
}
