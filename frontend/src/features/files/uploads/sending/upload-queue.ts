import { ApiError, hasCode } from '../../../../shared/api/api-error';
import { uuid } from '../../../../shared/format/uuid';
import { ItemList } from './item-list';
import { refusedTogether, unwantedOf } from './batch-outcome';
import { nextUnit } from './next-unit';
import type { Interrupted, OnReport, QueueOptions, Report } from './queue-options';
import { Speed } from './speed';
import {
  bytesSent,
  isPausable,
  isRetryable,
  isSameFile,
  isSameTarget,
  type LostFile,
  type UploadItem,
  type UploadTarget,
  type StoredFile,
} from './upload-item';

/** Largest file that is taken: 100 MB. */
export const maxFileBytes = 100 * 2 ** 20;
/** Requests under way at the same time. */
const parallel = 3;

/** One request. */
interface Running {
  readonly ids: readonly number[];
  readonly abort: AbortController;
  /** All of it has left: what the server makes of it can no longer be stopped. */
  hasLeft: boolean;
  /** Resolves when nothing is being sent any more. */
  done: Promise<void>;
}

/** Files on their way to zones, a few at a time, in the order in which they were chosen. */
export class UploadQueue {
  private readonly list = new ItemList();
  /** The files as they stand; the same array until something changes. */
  readonly snapshot = this.list.snapshot;
  readonly subscribe = this.list.subscribe;
  private readonly running = new Set<Running>();
  private readonly measured: Speed;
  private lastId = 0;
  private lastDrop = 0;

  constructor(private readonly options: QueueOptions) {
    this.measured = new Speed(options.now);
  }

  /**
   * Adds files. One that was interrupted goes on, one that is too large is refused at once, one whose name is known to
   * be taken waits for a decision.
   * @param isTaken whether a name is known to be taken in the target
   */
  add(target: UploadTarget, files: readonly File[], isTaken: (name: string) => boolean = () => false): void {
    const drop = ++this.lastDrop;
    const fresh = files.filter((file) => !this.goesOn(target, file));
    const added = fresh.map((file): UploadItem => {
      const item = { id: ++this.lastId, drop, file, target, sent: 0, rename: false };
      if (file.size > maxFileBytes) {
        return { ...item, state: 'error', error: new ApiError(413, 'FILE_TOO_LARGE', '') };
      }
      return { ...item, state: isTaken(file.name) ? 'duplicate' : 'pending' };
    });
    this.list.set([...this.list.snapshot(), ...added]);
    this.startMore();
  }

  /** Adds uploads of an earlier page, which wait for their files. */
  addInterrupted(uploads: readonly Interrupted[]): void {
    const added = uploads.map((upload): UploadItem => ({
      ...upload,
      id: ++this.lastId,
      drop: ++this.lastDrop,
      state: 'interrupted',
    }));
    if (added.length > 0) this.list.set([...this.list.snapshot(), ...added]);
  }

  /** Gives an interrupted upload its file back; false when it is another file. */
  choose(id: number, file: File): boolean {
    const item = this.list.snapshot().find((one) => one.id === id && one.state === 'interrupted');
    if (!item || !isSameFile(item.file, file)) return false;
    this.list.update([id], { file, state: 'pending' });
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
    this.list.update([item.id], { state: 'completed', sent: 1 });
    this.options.onStored?.(item);
  }

  /** Stops files that are on their way, and takes them from the list. */
  cancel(ids: Ids): void {
    this.dropWhere(among(ids));
    this.startMore();
  }

  /** Stops everything that has not arrived. */
  cancelAll(): void {
    this.dropWhere(({ state }) => state !== 'completed' && state !== 'error');
  }

  /** Stops files for a while; what was sent of them counts. */
  pause(ids: Ids): void {
    this.pauseWhere(among(ids));
  }

  pauseAll(): void {
    this.pauseWhere(() => true);
  }

  /** Goes on with files that are paused. */
  resume(ids: Ids): void {
    const chosen = among(ids);
    this.sendWhere((item) => chosen(item) && item.state === 'paused');
  }

  resumeAll(): void {
    this.sendWhere(({ state }) => state === 'paused');
  }

  /** Sends files that failed once more, from where they stand. */
  retry(ids: Ids): void {
    const chosen = among(ids);
    this.sendWhere((item) => chosen(item) && isRetryable(item));
  }

  retryFailed(): void {
    this.sendWhere(isRetryable);
  }

  /** Sends what was refused because nobody was signed in, now that somebody is again. */
  retrySignedOut(): void {
    this.sendWhere(({ state, error }) => state === 'error' && isSignedOut(error));
  }

  /** The files whose names are taken are sent after all, and get a number. */
  renameDuplicates(): void {
    this.list.change((item) => (item.state === 'duplicate' ? { ...item, rename: true } : item));
    this.sendWhere(({ state }) => state === 'duplicate');
  }

  /** The files whose names are taken are not sent. */
  dropDuplicates(): void {
    this.list.set(this.list.snapshot().filter(({ state }) => state !== 'duplicate'));
  }

  /** Takes what has arrived and what has failed from the list. */
  clearFinished(): void {
    const failed = this.list.snapshot().filter(({ state }) => state === 'error');
    this.list.set(this.list.snapshot().filter(({ state }) => state !== 'completed' && state !== 'error'));
    for (const item of failed) void this.drop(item);
  }

  /** Bytes a second over the last seconds; 0 while nothing is known. */
  speed(): number {
    return this.measured.bytesPerSecond();
  }

  /** A file that is chosen again for where it was interrupted. */
  private goesOn(target: UploadTarget, file: File): boolean {
    const item = this.interrupted(target, file);
    return item !== undefined && this.choose(item.id, file);
  }

  private interrupted(target: UploadTarget, file: LostFile): UploadItem | undefined {
    return this.list
      .snapshot()
      .find((one) => one.state === 'interrupted' && isSameTarget(one.target, target) && isSameFile(one.file, file));
  }

  private sendWhere(chosen: (item: UploadItem) => boolean): void {
    this.list.change((item) => (chosen(item) ? { ...item, state: 'pending', error: undefined } : item));
    this.startMore();
  }

  private dropWhere(chosen: (item: UploadItem) => boolean): void {
    const dropped = this.list.snapshot().filter(chosen);
    this.list.set(this.list.snapshot().filter((item) => !chosen(item)));
    for (const item of dropped) void this.drop(item);
  }

  private pauseWhere(chosen: (item: UploadItem) => boolean): void {
    const held = this.list.snapshot().filter((item) => isPausable(item) && chosen(item));
    const paused = new Set(held.map(({ id }) => id));
    this.list.change((item) => (paused.has(item.id) ? { ...item, state: 'paused', waitsFor: undefined } : item));
    for (const id of paused) this.stop(this.runningOf(id));
  }

  /** The server is told when nothing is being sent any more, so that nothing begins anew what it forgets. */
  private async drop(item: UploadItem): Promise<void> {
    const running = this.runningOf(item.id);
    this.stop(running);
    await running?.done;
    this.options.onDropped?.(item);
  }

  /** Those that are sent with a file that is stopped wait for their next turn. What has left whole is let come to its end. */
  private stop(running: Running | undefined): void {
    if (!running || (running.ids.length > 1 && running.hasLeft)) return;
    running.abort.abort();
    const others = (item: UploadItem) => running.ids.includes(item.id) && item.state === 'uploading';
    this.list.change((item) => (others(item) ? { ...item, state: 'pending', sent: 0, batch: undefined } : item));
  }

  private runningOf(id: number): Running | undefined {
    return [...this.running].find(({ ids }) => ids.includes(id));
  }

  private startMore(): void {
    // One that was paused and resumed at once ends its first sending before its next.
    while (this.running.size < parallel) {
      const busy = new Set([...this.running].flatMap(({ ids }) => ids));
      const waiting = this.list.snapshot().filter(({ id, state }) => state === 'pending' && !busy.has(id));
      const unit = this.options.sendBatch ? nextUnit(waiting) : waiting.slice(0, 1);
      if (unit.length === 0) return;
      const ids = unit.map(({ id }) => id);
      const running: Running = { ids, abort: new AbortController(), hasLeft: false, done: Promise.resolve() };
      this.running.add(running);
      const batch = unit.length > 1 || unit[0]!.batch ? (unit[0]!.batch ?? uuid()) : undefined;
      this.list.update(ids, { state: 'uploading', error: undefined, batch });
      running.done = batch ? this.sendTogether(unit, batch, running) : this.send(unit[0]!, running);
    }
  }

  private send(item: UploadItem, running: Running): Promise<void> {
    const work = async (onReport: OnReport, signal: AbortSignal) => {
      await this.options.send(item, onReport, signal);
      this.list.update(running.ids, { state: 'completed', sent: 1, waitsFor: undefined });
      this.options.onStored?.(item);
    };
    return this.run(running, work, (error) => this.fail(item, error));
  }

  private sendTogether(unit: readonly UploadItem[], key: string, running: Running): Promise<void> {
    const work = async (onReport: OnReport, signal: AbortSignal) =>
      this.arrivedTogether(unit, await this.options.sendBatch!(unit, key, onReport, signal));
    return this.run(running, work, (error) => {
      for (const { ids, changes } of refusedTogether(unit, error)) this.list.update(ids, changes);
    });
  }

  private async run(
    running: Running,
    work: (onReport: OnReport, signal: AbortSignal) => Promise<void>,
    onRefused: (error: unknown) => void,
  ): Promise<void> {
    const { signal } = running.abort;
    try {
      await work((report) => this.report(running, report), signal);
    } catch (error) {
      if (!signal.aborted) onRefused(error);
    } finally {
      this.running.delete(running);
      if (this.running.size === 0) this.measured.forget();
      this.startMore();
    }
  }

  private arrivedTogether(unit: readonly UploadItem[], stored: readonly StoredFile[]): void {
    const present = new Set(this.list.snapshot().map(({ id }) => id));
    const arrived = unit.filter(({ id }) => present.has(id));
    const ids = arrived.map(({ id }) => id);
    this.list.update(ids, { state: 'completed', sent: 1, waitsFor: undefined, batch: undefined });
    const unwanted = unwantedOf(arrived, stored);
    if (unwanted.length > 0) this.options.onUnwanted?.(unwanted);
    for (const item of arrived) this.options.onStored?.(item);
  }

  private fail(item: UploadItem, error: unknown): void {
    const taken = hasCode(error, 'DUPLICATE_NAMES');
    const changes = taken ? { state: 'duplicate' as const, sent: 0 } : { state: 'error' as const };
    this.list.update([item.id], { ...changes, waitsFor: undefined, error });
    // What was sent under a taken name cannot be had under another one.
    if (taken) this.options.onDropped?.(item);
  }

  /** What comes late from files that were stopped is not shown. */
  private report(running: Running, report: Report): void {
    if (running.abort.signal.aborted) return;
    if (report.sent === 1) running.hasLeft = true;
    this.list.update(running.ids, report);
    if (report.waitsFor) this.measured.forget();
    if (report.sent !== undefined) this.measured.add(bytesSent(this.list.snapshot()));
  }
}

/** One file, or several. */
type Ids = number | readonly number[];

function among(ids: Ids): (item: UploadItem) => boolean {
  const chosen = new Set([ids].flat());
  return ({ id }) => chosen.has(id);
}

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;
