import { RequestLock } from './request-lock.js';
import type { UploadLockRepository } from './upload-lock.repository.js';

describe('The lock of an upload', () => {
  afterEach(() => jest.restoreAllMocks());

  it('allows no write once it may have expired, whatever its row says', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const locks = {
      tryAcquire: () => Promise.resolve(true),
      renew: () => Promise.resolve('held'),
      release: () => Promise.resolve(),
    } as unknown as UploadLockRepository;
    const lock = new RequestLock(locks, 'id', new Map());
    await lock.lock(new AbortController().signal, () => undefined);
    now.mockReturnValue(6999);
    lock.assertHeld();
    now.mockReturnValue(7001);
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'UPLOAD_LOCKED' }));
    await lock.unlock();
  });
});
