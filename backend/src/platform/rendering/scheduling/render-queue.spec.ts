import { SystemClock } from '../../clock/clock.js';
import { RenderQueue } from './render-queue.js';
import { FairSchedulerService } from './fair-scheduler.service.js';

describe('RenderQueue', () => {
  let scheduler: FairSchedulerService;
  let queue: RenderQueue;
  let completed: string[];
  /** The first task waits until this is called. */
  let release: () => void;
  let first: Promise<void>;
  beforeEach(() => {
    scheduler = new FairSchedulerService(new SystemClock());
    queue = new RenderQueue(scheduler, { maxQueued: 5 });
    completed = [];
    first = queue.run(0, () => new Promise((resolve) => (release = resolve)));
  });

  /** Enqueues a task. @returns its result, or the code of its rejection */
  const enqueue = (owner: number, name: string) =>
    queue
      .run(owner, () => {
        completed.push(name);
        return Promise.resolve(name);
      })
      .catch((error: { code?: string }) => error.code ?? String(error));

  it('runs tasks one after the other, equal owners in order of arrival', async () => {
    const results = [enqueue(1, 'a'), enqueue(2, 'b'), enqueue(3, 'c')];
    expect(completed).toEqual([]);
    release();
    await first;
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
    expect(completed).toEqual(['a', 'b', 'c']);
    await queue.whenIdle();
  });

  it('prefers the owner with the least usage', async () => {
    scheduler.recordUsage(1, 10_000);
    scheduler.recordUsage(2, 20_000);
    const results = [enqueue(2, 'much'), enqueue(1, 'some'), enqueue(1, 'more'), enqueue(3, 'none')];
    release();
    await Promise.all(results);
    expect(completed).toEqual(['none', 'some', 'more', 'much']);
  });

  it('drops tasks of the owner with too many waiting when others need room', async () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => enqueue(1, name));
    // A third one would give this owner more waiting tasks than the other.
    const others = ['first', 'second', 'third'].map((name) => enqueue(2, name));
    release();
    const busy = 'DRAWING_BUSY';
    expect(await Promise.all(many)).toEqual(['a', 'b', busy, busy, busy]);
    expect(await Promise.all(others)).toEqual(['first', 'second', busy]);
  });

  it('continues after a failed task and after being empty', async () => {
    const failing = queue.run(1, () => Promise.reject(new Error('damaged')));
    const next = enqueue(2, 'next');
    release();
    await expect(failing).rejects.toThrow('damaged');
    expect(await next).toBe('next');
    await queue.whenIdle();
    expect(await enqueue(1, 'later')).toBe('later');
    await queue.whenIdle();
  });
});
