import { withTimeout } from './with-timeout.js';

describe('within', () => {
  it('gives what comes in time', async () => {
    await expect(withTimeout(10_000, Promise.resolve('here'), 'Too late.')).resolves.toBe('here');
  });

  it('fails with the fault of the work itself', async () => {
    await expect(withTimeout(10_000, Promise.reject(new Error('broken')), 'Too late.')).rejects.toThrow('broken');
  });

  it('fails with the sentence when nothing comes', async () => {
    await expect(withTimeout(5, new Promise(() => undefined), 'Too late.')).rejects.toThrow('Too late.');
  });
});
