import { ConcurrencyLimiter } from './concurrency-limiter.js';

describe('ConcurrencyLimiter', () => {
  it('lets 32 wait and rejects more with SERVER_BUSY', async () => {
    const concurrencyLimiter = new ConcurrencyLimiter({ maxConcurrent: 2 });
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const results = Promise.allSettled(Array.from({ length: 40 }, () => concurrencyLimiter.run(() => gate)));
    await expect(concurrencyLimiter.run(() => gate)).rejects.toMatchObject({
      code: 'SERVER_BUSY',
      details: { retryAfter: 5 },
    });
    open();
    const rejected = (await results).filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(40 - 2 - 32);
    await expect(concurrencyLimiter.run(() => 'again')).resolves.toBe('again');
  });

  it('continues after failed work', async () => {
    const concurrencyLimiter = new ConcurrencyLimiter({ maxConcurrent: 1 });
    const first = concurrencyLimiter.run(() => Promise.reject(new Error('no')));
    const second = concurrencyLimiter.run(() => 2);
    await expect(first).rejects.toThrow('no');
    await expect(second).resolves.toBe(2);
  });

  it('pauses as long as the last task took without delaying its result', async () => {
    const concurrencyLimiter = new ConcurrencyLimiter({ maxConcurrent: 1, pausesBetween: true });
    const happened: string[] = [];
    const times: number[] = [];
    const createTask = (name: string) => async () => {
      times.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 50));
      happened.push(`${name} done`);
      times.push(performance.now());
    };
    const first = concurrencyLimiter.run(createTask('first')).then(() => happened.push('first answered'));
    const second = concurrencyLimiter.run(createTask('second'));
    await Promise.all([first, second]);
    expect(happened).toEqual(['first done', 'first answered', 'second done']);
    const [began, ended, next] = times as [number, number, number];
    // Timers have millisecond resolution.
    expect(next - ended).toBeGreaterThan(ended - began - 3);
  });
});
