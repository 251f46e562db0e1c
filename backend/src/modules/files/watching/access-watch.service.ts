import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SECOND } from '../../../platform/clock/clock.js';
import type { EventStream } from '../../../platform/http/event-streams/event-streams.service.js';
import { FileAccessRepository, type ReadingSession } from '../access/file-access.repository.js';

/** Maximum number of open readers per session and process; another one replaces the oldest. */
const MAX_WATCHERS_PER_SESSION = 10;

interface Watcher extends ReadingSession {
  readonly stream: EventStream;
}

/**
 * Notifies open readers within a second after they lose access to their file. A single statement per second checks all
 * of them. It is no security boundary: every page request is authorised on its own.
 */
@Injectable()
export class AccessWatchService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AccessWatchService.name);
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout;
  private isChecking = false;
  private isFailing = false;

  constructor(private readonly access: FileAccessRepository) {}

  /** Started here rather than by the first reader, because the timer would inherit that request's async context. */
  onModuleInit(): void {
    this.timer = setInterval(() => void this.checkAccess(), SECOND).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Number of watchers in this process. */
  get count(): number {
    return this.watchers.size;
  }

  /** @returns a function that ends the watch; call it when the stream has ended */
  addWatcher(reading: ReadingSession, stream: EventStream): () => void {
    const own = [...this.watchers].filter(({ sessionId }) => sessionId === reading.sessionId);
    if (own.length >= MAX_WATCHERS_PER_SESSION) this.endWatch(own[0]!, 'replaced');
    const watcher = { ...reading, stream };
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  private async checkAccess(): Promise<void> {
    if (this.watchers.size === 0 || this.isChecking) return;
    this.isChecking = true;
    // Watchers added during the check were authorised just now and are checked next time.
    const checked = [...this.watchers];
    try {
      const accessible = await this.access.findStillAccessible(checked);
      for (const watcher of checked) if (!accessible.has(watcher)) this.endWatch(watcher, 'gone');
      this.isFailing = false;
    } catch (error) {
      // Logged once per outage; the pages can't be read during it either.
      if (!this.isFailing) this.logger.warn(error, "Couldn't check access of open readers; retrying every second.");
      this.isFailing = true;
    } finally {
      this.isChecking = false;
    }
  }

  private endWatch(watcher: Watcher, event: 'gone' | 'replaced'): void {
    this.watchers.delete(watcher);
    watcher.stream.endWith(event);
  }
}
