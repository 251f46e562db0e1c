import { ApiError, hasCode } from '../../../shared/api/api-error';
import {
  bytesSent,
  isPausable,
  isRetryable,
  isSameFile,
  isSameTarget,
  type LostFile,
  type UploadItem,
  type UploadTarget,
} from './upload-item';

/** Largest file that is taken: 100 MB. */
export const maxFileBytes = 100 * 2 ** 20;
/** Files sent at the same time. */
const parallel = 3;
/** Milliseconds over which the speed is measured. */
const speedWindow = 4000;

/** What is told of a file on its way. */
export interface Report {
  /** How much has left, from 0 to 1. */
  readonly sent?: number;
  /** The connection is lost, and waited for. */
  readonly offline?: boolean;
}

/** An upload of an earlier page whose file is lost. */
export interface Interrupted {
  readonly file: LostFile;
  readonly target: UploadTarget;
  readonly rename: boolean;
  /** From 0 to 1. */
  readonly sent: number;
}

interface Options {
  /** Sends one file, from where it stands; an aborted signal must make it fail, and keeps what was sent. */
  send: (item: UploadItem, onReport: (report: Report) => void, signal: AbortSignal) => Promise<void>;
  /** Told of each file that has arrived. */
  onStored?: (item: UploadItem) => void;
  /** Told of each file that will not be sent: the server may forget what it has of it. */
  onDropped?: (item: UploadItem) => void;
  /** Milliseconds. */
  now?: () => number;
}

interface Running {
  readonly abort: AbortController;
  /** Resolves when nothing is being sent any more. */
  done: Promise<void>;
}

/** Files on their way to zones, a few at a time, in the order in which they were chosen. */
export class UploadQueue {
  private items: readonly UploadItem[] = [];
  private readonly running = new Map<number, Running>();
  private readonly listeners = new Set<() => void>();
  private readonly now: () => number;
  private samples: { at: number; bytes: number }[] = [];
  private lastId = 0;

  constructor(private readonly options: Options) {
    this.now = options.now ?? (() => performance.now());
  }

  /** The files as they stand; the same array until something changes. */
  readonly snapshot = (): readonly UploadItem[] => this.items;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /**
   * Adds files. One that was interrupted goes on, one that is too large is refused at once, one whose name is known to
   * be taken waits for a decision.
   * @param isTaken whether a name is known to be taken in the target
   */
  add(target: UploadTarget, files: readonly File[], isTaken: (name: string) => boolean = () => false): void {
    const fresh = files.filter((file) => !this.goesOn(target, file));
    const added = fresh.map((file): UploadItem => {
      const item = { id: ++this.lastId, file, target, sent: 0, rename: false };
      if (file.size > maxFileBytes) {
        return { ...item, state: 'error', error: new ApiError(413, 'FILE_TOO_LARGE', '') };
      }
      return { ...item, state: isTaken(file.name) ? 'duplicate' : 'pending' };
    });
    this.set([...this.items, ...added]);
    this.startMore();
  }

  /** Adds uploads of an earlier page, which wait for their files. */
  addInterrupted(uploads: readonly Interrupted[]): void {
    const added = uploads.map((upload): UploadItem => ({ ...upload, id: ++this.lastId, state: 'interrupted' }));
    if (added.length > 0) this.set([...this.items, ...added]);
  }

  /** Gives an interrupted upload its file back; false when it is another file. */
  choose(id: number, file: File): boolean {
    const item = this.items.find((one) => one.id === id && one.state === 'interrupted');
    if (!item || !isSameFile(item.file, file)) return false;
    this.update(id, { file, state: 'pending' });
    this.startMore();
    return true;
  }

  /** True for an upload of an earlier page that waits for its file. */
  isInterrupted(target: UploadTarget, file: LostFile): boolean {
    return this.interrupted(target, file) !== undefined;
  }

  /** An interrupted upload turns out to have arrived whole. */
  arrived(target: UploadTarget, file: LostFile): void {
    const item = this.interrupted(target, file);
    if (!item) return;
    this.update(item.id, { state: 'completed', sent: 1 });
    this.options.onStored?.(item);
  }

  /** Stops a file that is on its way, and takes it from the list. */
  cancel(id: number): void {
    const item = this.items.find((one) => one.id === id);
    this.set(this.items.filter((one) => one.id !== id));
    if (item) void this.drop(item);
    this.startMore();
  }

  /** Stops everything that has not arrived. */
  cancelAll(): void {
    const over = ({ state }: UploadItem) => state === 'completed' || state === 'error';
    const dropped = this.items.filter((item) => !over(item));
    this.set(this.items.filter(over));
    for (const item of dropped) void this.drop(item);
  }

  /** Stops a file for a while; what was sent of it counts. */
  pause(id: number): void {
    this.pauseWhere((item) => item.id === id);
  }

  pauseAll(): void {
    this.pauseWhere(() => true);
  }

  /** Goes on with a paused file. */
  resume(id: number): void {
    this.change((item) => (item.id === id && item.state === 'paused' ? { ...item, state: 'pending' } : item));
    this.startMore();
  }

  resumeAll(): void {
    this.change((item) => (item.state === 'paused' ? { ...item, state: 'pending' } : item));
    this.startMore();
  }

  /** Sends a file that failed once more, from where it stands. */
  retry(id: number): void {
    this.change((item) => (item.id === id && isRetryable(item) ? again(item) : item));
    this.startMore();
  }

  retryFailed(): void {
    this.change((item) => (isRetryable(item) ? again(item) : item));
    this.startMore();
  }

  /** Sends what was refused because nobody was signed in, now that somebody is again. */
  retrySignedOut(): void {
    this.change((item) => (item.state === 'error' && isSignedOut(item.error) ? again(item) : item));
    this.startMore();
  }

  /** The files whose names are taken are sent after all, and get a number. */
  renameDuplicates(): void {
    this.change((item) => (item.state === 'duplicate' ? { ...again(item), rename: true } : item));
    this.startMore();
  }

  /** The files whose names are taken are not sent. */
  dropDuplicates(): void {
    this.set(this.items.filter(({ state }) => state !== 'duplicate'));
  }

  /** Takes what has arrived and what has failed from the list. */
  clearFinished(): void {
    const failed = this.items.filter(({ state }) => state === 'error');
    this.set(this.items.filter(({ state }) => state !== 'completed' && state !== 'error'));
    for (const item of failed) void this.drop(item);
  }

  /** Bytes a second over the last seconds; 0 while nothing is known. */
  speed(): number {
    const [first] = this.samples;
    const last = this.samples.at(-1);
    if (!first || !last || last.at - first.at < 500) return 0;
    return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.at - first.at));
  }

  /** A file that is chosen again for where it was interrupted. */
  private goesOn(target: UploadTarget, file: File): boolean {
    const item = this.interrupted(target, file);
    return item !== undefined && this.choose(item.id, file);
  }

  private interrupted(target: UploadTarget, file: LostFile): UploadItem | undefined {
    return this.items.find(
      (one) => one.state === 'interrupted' && isSameTarget(one.target, target) && isSameFile(one.file, file),
    );
  }

  private pauseWhere(chosen: (item: UploadItem) => boolean): void {
    const paused = this.items.filter((item) => isPausable(item) && chosen(item)).map(({ id }) => id);
    this.change((item) => (paused.includes(item.id) ? { ...item, state: 'paused', offline: false } : item));
    for (const id of paused) this.running.get(id)?.abort.abort();
  }

  /** The server is told when nothing is being sent any more, so that nothing begins anew what it forgets. */
  private async drop(item: UploadItem): Promise<void> {
    const running = this.running.get(item.id);
    running?.abort.abort();
    await running?.done;
    this.options.onDropped?.(item);
  }

  private startMore(): void {
    // One that was paused and resumed at once ends its first sending before its next.
    const isNext = ({ id, state }: UploadItem) => state === 'pending' && !this.running.has(id);
    while (this.running.size < parallel) {
      const next = this.items.find(isNext);
      if (!next) return;
      const running: Running = { abort: new AbortController(), done: Promise.resolve() };
      this.running.set(next.id, running);
      this.update(next.id, { state: 'uploading', error: undefined });
      running.done = this.send(next, running.abort.signal);
    }
  }

  private async send(item: UploadItem, signal: AbortSignal): Promise<void> {
    const { id } = item;
    try {
      await this.options.send(item, (report) => this.report(id, signal, report), signal);
      this.update(id, { state: 'completed', sent: 1, offline: false });
      this.options.onStored?.(item);
    } catch (error) {
      if (!signal.aborted) this.fail(item, error);
    } finally {
      this.running.delete(id);
      this.startMore();
    }
  }

  private fail(item: UploadItem, error: unknown): void {
    const taken = hasCode(error, 'DUPLICATE_NAMES');
    const changes = taken ? { state: 'duplicate' as const, sent: 0 } : { state: 'error' as const };
    this.update(item.id, { ...changes, offline: false, error });
    // What was sent under a taken name cannot be had under another one.
    if (taken) this.options.onDropped?.(item);
  }

  /** What comes late from a file that was stopped is not shown. */
  private report(id: number, signal: AbortSignal, report: Report): void {
    if (signal.aborted) return;
    this.update(id, report);
    if (report.offline) this.samples = [];
    if (report.sent === undefined) return;
    const at = this.now();
    this.samples = [...this.samples, { at, bytes: bytesSent(this.items) }].filter(
      (sample) => at - sample.at <= speedWindow,
    );
  }

  /** A file that was cancelled is not in the list any more, so nothing that comes late from it is shown. */
  private update(id: number, changes: Partial<UploadItem>): void {
    this.change((item) => (item.id === id ? { ...item, ...changes } : item));
  }

  private change(each: (item: UploadItem) => UploadItem): void {
    this.set(this.items.map(each));
  }

  private set(items: readonly UploadItem[]): void {
    this.items = items;
    if (!items.some(({ state }) => state === 'uploading')) this.samples = [];
    this.listeners.forEach((listener) => listener());
  }
}

const again = (item: UploadItem): UploadItem => ({ ...item, state: 'pending', error: undefined });

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;
