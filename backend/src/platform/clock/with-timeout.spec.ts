import { withTimeout } from './with-timeout.js';

describe('withTimeout', () => {
  it('resolves with a result in time', async () => {
    await expect(withTimeout(10_000, Promise.resolve('here'), 'Too late.')).resolves.toBe('here');
  });

  it('rejects with the error of the work itself', async () => {
    await expect(withTimeout(10_000, Promise.reject(new Error('broken')), 'Too late.')).rejects.toThrow('broken');
  });

  it('rejects with the message when the time is over', async () => {
    await expect(withTimeout(5, new Promise(() => undefined), 'Too late.')).rejects.toThrow('Too late.');
  });
});
