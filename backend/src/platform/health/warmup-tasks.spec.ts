import { WarmupTasks } from './warmup-tasks.js';

describe('what a process prepares before it takes requests', () => {
  it('is done one after the other, in the order in which it was asked for', async () => {
    const warmupTasks = new WarmupTasks();
    const done: string[] = [];
    const step = (name: string) => async () => {
      done.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      done.push(`${name} ends`);
    };
    warmupTasks.add(step('first'));
    warmupTasks.add(step('second'));
    expect(done).toEqual([]);
    await warmupTasks.run();
    expect(done).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('ends the start when it fails, and nothing after it is done', async () => {
    const warmupTasks = new WarmupTasks();
    let reached = false;
    warmupTasks.add(() => Promise.reject(new Error('no dictionary')));
    warmupTasks.add(() => Promise.resolve(void (reached = true)));
    await expect(warmupTasks.run()).rejects.toThrow('no dictionary');
    expect(reached).toBe(false);
  });
});
