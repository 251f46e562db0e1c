import { Injectable } from '@nestjs/common';
import { RequestLock } from './request-lock.js';
import { UploadLockRepository } from './upload-lock.repository.js';

@Injectable()
export class UploadLockService {
  /** Locks held by this process, which can be asked directly to release. */
  private readonly held = new Map<string, RequestLock>();

  constructor(private readonly locks: UploadLockRepository) {}

  /**
   * Creates the lock of one request on an upload, not yet acquired.
   * @param waitUntilIdle resolves when nothing is being stored any more; awaited before the lock is released
   */
  createLock(id: string, waitUntilIdle?: () => Promise<void>): RequestLock {
    return new RequestLock(this.locks, id, this.held, waitUntilIdle);
  }
}
