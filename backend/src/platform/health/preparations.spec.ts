import { Preparations } from './preparations.js';

describe('what a process prepares before it takes requests', () => {
  it('is done one after the other, in the order in which it was asked for', async () => {
    const preparations = new Preparations();
    const done: string[] = [];
    const step = (name: string) => async () => {
      done.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      done.push(`${name} ends`);
    };
    preparations.add(step('first'));
    preparations.add(step('second'));
    expect(done).toEqual([]);
    await preparations.run();
    expect(done).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('ends the start when it fails, and nothing after it is done', async () => {
    const preparations = new Preparations();
    let reached = false;
    preparations.add(() => Promise.reject(new Error('no dictionary')));
    preparations.add(() => Promise.resolve(void (reached = true)));
    await expect(preparations.run()).rejects.toThrow('no dictionary');
    expect(reached).toBe(false);
  });
});
