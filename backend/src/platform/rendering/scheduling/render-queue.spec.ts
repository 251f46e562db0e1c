import { SystemClock } from '../../clock/clock.js';
import { RenderQueue } from './render-queue.js';
import { FairSchedulerService } from './fair-scheduler.service.js';

describe('RenderQueue', () => {
  let turns: FairSchedulerService;
  let line: RenderQueue;
  let done: string[];
  /** The first task waits until this is called. */
  let letGo: () => void;
  let first: Promise<void>;
  beforeEach(() => {
    turns = new FairSchedulerService(new SystemClock());
    line = new RenderQueue(turns, { maxQueued: 5 });
    done = [];
    first = line.run(0, () => new Promise((resolve) => (letGo = resolve)));
  });

  /** Enqueues a task. @returns its result, or the code of its rejection */
  const ask = (owner: number, name: string) =>
    line
      .run(owner, () => {
        done.push(name);
        return Promise.resolve(name);
      })
      .catch((error: { code?: string }) => error.code ?? String(error));

  it('runs tasks one after the other, equal owners in order of arrival', async () => {
    const asked = [ask(1, 'a'), ask(2, 'b'), ask(3, 'c')];
    expect(done).toEqual([]);
    letGo();
    await first;
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
    expect(done).toEqual(['a', 'b', 'c']);
    await line.whenIdle();
  });

  it('prefers the owner with the least usage', async () => {
    turns.recordUsage(1, 10_000);
    turns.recordUsage(2, 20_000);
    const asked = [ask(2, 'much'), ask(1, 'some'), ask(1, 'more'), ask(3, 'none')];
    letGo();
    await Promise.all(asked);
    expect(done).toEqual(['none', 'some', 'more', 'much']);
  });

  it('drops tasks of the owner with too many waiting when others need room', async () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(1, name));
    // A third one would give this owner more waiting tasks than the other.
    const others = ['first', 'second', 'third'].map((name) => ask(2, name));
    letGo();
    const busy = 'DRAWING_BUSY';
    expect(await Promise.all(many)).toEqual(['a', 'b', busy, busy, busy]);
    expect(await Promise.all(others)).toEqual(['first', 'second', busy]);
  });

  it('continues after a failed task and after being empty', async () => {
    const failing = line.run(1, () => Promise.reject(new Error('damaged')));
    const next = ask(2, 'next');
    letGo();
    await expect(failing).rejects.toThrow('damaged');
    expect(await next).toBe('next');
    await line.whenIdle();
    expect(await ask(1, 'later')).toBe('later');
    await line.whenIdle();
  });
});
