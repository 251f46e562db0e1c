import { ApiError, hasCode } from '../../../shared/api/api-error';

/** Largest file that is taken: 100 MB. */
export const maxFileBytes = 100 * 2 ** 20;
/** Files sent at the same time. */
const parallel = 3;
/** Milliseconds over which the speed is measured. */
const speedWindow = 4000;

export interface UploadTarget {
  readonly zoneId: number;
  /** null is the root of the zone. */
  readonly folderId: number | null;
}

export interface UploadItem {
  readonly id: number;
  readonly file: File;
  readonly target: UploadTarget;
  /** `duplicate` waits for a decision about its name. */
  readonly state: 'pending' | 'uploading' | 'completed' | 'error' | 'duplicate';
  /** How much has left, from 0 to 1. */
  readonly sent: number;
  /** Takes a number when its name is taken. */
  readonly rename: boolean;
  readonly error?: unknown;
}

interface Options {
  /** Sends one file; an aborted signal must make it fail. */
  send: (item: UploadItem, onProgress: (sent: number) => void, signal: AbortSignal) => Promise<void>;
  /** Told of each file that has arrived. */
  onStored?: (item: UploadItem) => void;
  /** Milliseconds. */
  now?: () => number;
}

/** Files on their way to zones, a few at a time, in the order in which they were chosen. */
export class UploadQueue {
  private items: readonly UploadItem[] = [];
  private readonly running = new Map<number, AbortController>();
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
   * Adds files. One that is too large is refused at once, one whose name is known to be taken waits for a decision.
   * @param isTaken whether a name is known to be taken in the target
   */
  add(target: UploadTarget, files: readonly File[], isTaken: (name: string) => boolean = () => false): void {
    const added = files.map((file): UploadItem => {
      const item = { id: ++this.lastId, file, target, sent: 0, rename: false };
      if (file.size > maxFileBytes) {
        return { ...item, state: 'error', error: new ApiError(413, 'FILE_TOO_LARGE', '') };
      }
      return { ...item, state: isTaken(file.name) ? 'duplicate' : 'pending' };
    });
    this.set([...this.items, ...added]);
    this.startMore();
  }

  /** Stops a file that is on its way, and takes it from the list. */
  cancel(id: number): void {
    this.running.get(id)?.abort();
    this.running.delete(id);
    this.set(this.items.filter((item) => item.id !== id));
    this.startMore();
  }

  /** Stops everything that has not arrived. */
  cancelAll(): void {
    for (const abort of this.running.values()) abort.abort();
    this.running.clear();
    this.set(this.items.filter(({ state }) => state === 'completed' || state === 'error'));
  }

  /** Sends a file that failed once more. */
  retry(id: number): void {
    this.change((item) => (item.id === id && isRetryable(item) ? again(item) : item));
    this.startMore();
  }

  retryFailed(): void {
    this.change((item) => (isRetryable(item) ? again(item) : item));
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
    this.set(this.items.filter(({ state }) => state !== 'completed' && state !== 'error'));
  }

  /** Bytes a second over the last seconds; 0 while nothing is known. */
  speed(): number {
    const [first] = this.samples;
    const last = this.samples.at(-1);
    if (!first || !last || last.at - first.at < 500) return 0;
    return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.at - first.at));
  }

  private startMore(): void {
    while (this.running.size < parallel) {
      const next = this.items.find(({ state }) => state === 'pending');
      if (!next) return;
      void this.send(next);
    }
  }

  private async send(item: UploadItem): Promise<void> {
    const abort = new AbortController();
    this.running.set(item.id, abort);
    this.update(item.id, { state: 'uploading', sent: 0 });
    try {
      await this.options.send(item, (sent) => this.progress(item.id, sent), abort.signal);
      this.update(item.id, { state: 'completed', sent: 1 });
      this.options.onStored?.(item);
    } catch (error) {
      const taken = hasCode(error, 'DUPLICATE_NAMES');
      this.update(item.id, { state: taken ? 'duplicate' : 'error', sent: 0, error });
    } finally {
      this.running.delete(item.id);
      this.startMore();
    }
  }

  private progress(id: number, sent: number): void {
    this.update(id, { sent });
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

/** Failed, and not for a reason that stays. */
export function isRetryable({ state, error }: UploadItem): boolean {
  return state === 'error' && !hasCode(error, 'FILE_TOO_LARGE');
}

const again = (item: UploadItem): UploadItem => ({ ...item, state: 'pending', sent: 0, error: undefined });

const bytesSent = (items: readonly UploadItem[]) => items.reduce((sum, { file, sent }) => sum + file.size * sent, 0);

export interface UploadTotals {
  pending: number;
  uploading: number;
  completed: number;
  failed: number;
  duplicates: number;
  sentBytes: number;
  /** Of the files that are sent or will be. */
  totalBytes: number;
}

/** Counts and bytes of all files together. */
export function totalsOf(items: readonly UploadItem[]): UploadTotals {
  const count = (state: UploadItem['state']) => items.filter((item) => item.state === state).length;
  const sending = items.filter(({ state }) => state === 'pending' || state === 'uploading' || state === 'completed');
  return {
    pending: count('pending'),
    uploading: count('uploading'),
    completed: count('completed'),
    failed: count('error'),
    duplicates: count('duplicate'),
    sentBytes: bytesSent(sending),
    totalBytes: sending.reduce((sum, { file }) => sum + file.size, 0),
  };
}
