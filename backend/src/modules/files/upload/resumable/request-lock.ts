import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Lock } from '@tus/server';
import { SECOND } from '../../../../platform/clock/clock.js';
import { fileErrors } from '../../files.errors.js';
import type { UploadLockRepository } from './upload-lock.repository.js';

/** A lock expires unless renewed within this time. After a process dies, its uploads stay blocked this long. */
const LOCK_LIFETIME = 8 * SECOND;
/** How often the holder renews its lock and checks whether another request is waiting. */
const RENEW_INTERVAL = SECOND;
/** A holder that has not renewed its lock for this long stops writing: the lock may belong to another request soon. */
const STALE_AFTER = 6 * SECOND;
/** How often a waiting request retries. */
const RETRY_INTERVAL = 100;
/** How long a request waits for the lock: longer than a dead process can hold it. */
const LOCK_TIMEOUT = 15 * SECOND;

/**
 * Ensures that only one request in all processes works on an upload. The lock is a database row that must be renewed.
 */
export class RequestLock implements Lock {
  private readonly logger = new Logger(RequestLock.name);
  private readonly token = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private release: () => void = () => undefined;
  private renewedAt = 0;

  constructor(
    private readonly locks: UploadLockRepository,
    private readonly id: string,
    private readonly held: Map<string, RequestLock>,
    private readonly waitUntilIdle: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /**
   * Acquires the lock, asking the current holder to release it.
   * @param requestRelease called when another request wants the lock, or when the lock was lost
   * @throws UPLOAD_LOCKED if the holder does not release it in time
   */
  async lock(signal: AbortSignal, requestRelease: () => void | Promise<void>): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT;
    for (;;) {
      this.renewedAt = performance.now();
      if (await this.locks.tryAcquire(this.id, this.token, LOCK_LIFETIME)) break;
      this.held.get(this.id)?.release();
      if (signal.aborted || performance.now() > deadline) throw fileErrors.UPLOAD_LOCKED();
      await pause(RETRY_INTERVAL);
    }
    this.release = () => void requestRelease();
    this.held.set(this.id, this);
    this.timer = setInterval(() => void this.renewLock(), RENEW_INTERVAL).unref();
  }

  /**
   * Checks before a write that the lock can't have expired, for example while this process was suspended.
   * @throws UPLOAD_LOCKED
   */
  assertHeld(): void {
    if (performance.now() - this.renewedAt > STALE_AFTER) throw fileErrors.UPLOAD_LOCKED();
  }

  /** Releases the lock once no write is in progress. If that fails, the lock expires on its own. */
  async unlock(): Promise<void> {
    await this.waitUntilIdle();
    clearInterval(this.timer);
    if (this.held.get(this.id) === this) this.held.delete(this.id);
    try {
      await this.locks.release(this.id, this.token);
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't release an upload's lock");
    }
  }

  /** A short database outage is harmless: writing stops before the lock expires (`assertHeld`). */
  private async renewLock(): Promise<void> {
    const startedAt = performance.now();
    try {
      const state = await this.locks.renew(this.id, this.token, LOCK_LIFETIME);
      if (state !== 'lost') this.renewedAt = startedAt;
      if (state !== 'held' && this.held.get(this.id) === this) this.release();
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't renew an upload's lock");
    }
  }
}
