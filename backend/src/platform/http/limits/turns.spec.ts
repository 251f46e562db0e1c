import { Turns } from './turns.js';

describe('turns', () => {
  it('let 32 wait, and ask who comes beyond them to come again', async () => {
    const turns = new Turns({ atOnce: 2 });
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const done = Promise.allSettled(Array.from({ length: 40 }, () => turns.run(() => gate)));
    await expect(turns.run(() => gate)).rejects.toMatchObject({ code: 'SERVER_BUSY', details: { retryAfter: 5 } });
    open();
    const refused = (await done).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(40 - 2 - 32);
    await expect(turns.run(() => 'again')).resolves.toBe('again');
  });

  it('go on after work that failed', async () => {
    const turns = new Turns({ atOnce: 1 });
    const first = turns.run(() => Promise.reject(new Error('no')));
    const second = turns.run(() => 2);
    await expect(first).rejects.toThrow('no');
    await expect(second).resolves.toBe(2);
  });

  it('with pauses begin the next piece after as long as the last one took, and do not keep its answer back', async () => {
    const turns = new Turns({ atOnce: 1, pauses: true });
    const happened: string[] = [];
    const times: number[] = [];
    const piece = (name: string) => async () => {
      times.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 50));
      happened.push(`${name} done`);
      times.push(performance.now());
    };
    const first = turns.run(piece('first')).then(() => happened.push('first answered'));
    const second = turns.run(piece('second'));
    await Promise.all([first, second]);
    expect(happened).toEqual(['first done', 'first answered', 'second done']);
    const [began, ended, next] = times as [number, number, number];
    // Timers count whole milliseconds.
    expect(next - ended).toBeGreaterThan(ended - began - 3);
  });
});
