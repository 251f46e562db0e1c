import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SECOND } from '../../../platform/clock/clock.js';
import type { EventStream } from '../../../platform/http/event-streams/event-streams.service.js';
import { FileAccessService, type ReadingSession } from '../access/file-access.service.js';

/** Readers that one session may have open in a process; the next takes the place of the oldest. */
const MAX_WATCHERS_PER_SESSION = 10;

interface Watcher extends ReadingSession {
  readonly stream: EventStream;
}

/**
 * Tells open readers within a second that what they read is not theirs any more. One statement a second asks for all of
 * them. Nothing is trusted to it: each page that is asked for is judged by itself.
 */
@Injectable()
export class AccessWatchService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AccessWatchService.name);
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout;
  private isChecking = false;
  private isFailing = false;

  constructor(private readonly access: FileAccessService) {}

  /** Begun here and not with the first reader, whose request would else hold what is asked for all. */
  onModuleInit(): void {
    this.timer = setInterval(() => void this.checkAccess(), SECOND).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** How many wait for word in this process. */
  get count(): number {
    return this.watchers.size;
  }

  /** @returns ends the watch; to be called when the stream has ended */
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
    // Who comes meanwhile has just been let in, and is asked about the next time.
    const checked = [...this.watchers];
    try {
      const accessible = await this.access.findStillAccessible(checked);
      for (const watcher of checked) if (!accessible.has(watcher)) this.endWatch(watcher, 'gone');
      this.isFailing = false;
    } catch (error) {
      // Said once; the pages themselves cannot be read meanwhile either.
      if (!this.isFailing)
        this.logger.warn(error, 'Open readers cannot be asked about; it is tried again each second.');
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
