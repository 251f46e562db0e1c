import { WarmupTasks } from './warmup-tasks.js';

describe('WarmupTasks', () => {
  it('run one after the other in registration order', async () => {
    const warmupTasks = new WarmupTasks();
    const completed: string[] = [];
    const step = (name: string) => async () => {
      completed.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      completed.push(`${name} ends`);
    };
    warmupTasks.add(step('first'));
    warmupTasks.add(step('second'));
    expect(completed).toEqual([]);
    await warmupTasks.run();
    expect(completed).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('end the start on failure without running the rest', async () => {
    const warmupTasks = new WarmupTasks();
    let reached = false;
    warmupTasks.add(() => Promise.reject(new Error('no dictionary')));
    warmupTasks.add(() => Promise.resolve(void (reached = true)));
    await expect(warmupTasks.run()).rejects.toThrow('no dictionary');
    expect(reached).toBe(false);
  });
});
