import { ApiError, hasCode } from '../../../../shared/api/api-error';
import { createUuid } from '../../../../shared/format/uuid';
import { UploadItemStore } from './upload-item-store';
import { resolveBatchError, findUnwantedIds } from './batch-outcome';
import { selectNextBatch } from './next-batch';
import type { InterruptedUpload, OnProgress, UploadQueueOptions, ProgressReport } from './queue-options';
import { SpeedMeter } from './speed-meter';
import {
  sumSentBytes,
  isPausable,
  isRetryable,
  isSameFile,
  isSameTarget,
  type FileMetadata,
  type ConflictChoice,
  type ReplacedFile,
  type UploadFolder,
  type UploadItem,
  type UploadTarget,
  type StoredFile,
} from './upload-item';

/** Maximum number of concurrent requests. */
const MAX_ACTIVE_REQUESTS = 3;

/** A file to upload. */
export interface NewUpload {
  readonly file: File;
  readonly target: UploadTarget;
  /** Whether its name is known to be taken in the target folder. */
  readonly isTaken: boolean;
  /** The file that gets this content. */
  readonly replaces?: ReplacedFile;
  /** Maximum size of a file, if known; the server checks it anyway. */
  readonly maxFileBytes?: number | null | undefined;
}

interface ActiveRequest {
  readonly ids: readonly number[];
  readonly abortController: AbortController;
  /** All bytes are sent: the server's processing can no longer be stopped. */
  isFullySent: boolean;
  /** Resolves when nothing is being sent any more. */
  done: Promise<void>;
}

/** Uploads files to zones, a few at a time, in the order in which they were chosen. */
export class UploadQueue {
  private readonly itemStore = new UploadItemStore();
  /** The current items; the same array until something changes. */
  readonly getSnapshot = this.itemStore.getSnapshot;
  readonly subscribe = this.itemStore.subscribe;
  private readonly activeRequests = new Set<ActiveRequest>();
  private readonly speedMeter: SpeedMeter;
  private lastId = 0;
  private lastGroupId = 0;

  constructor(private readonly options: UploadQueueOptions) {
    this.speedMeter = new SpeedMeter(options.now);
  }

  /**
   * Adds files. An interrupted upload of the same file resumes, a file that is too large fails immediately, and one
   * whose name is known to be taken waits for a decision.
   * @param isTaken whether a name is known to be taken in the target folder
   * @param maxFileBytes maximum size of a file, if known
   */
  add(
    target: UploadTarget,
    files: readonly File[],
    isTaken: (name: string) => boolean = () => false,
    maxFileBytes?: number | null,
  ): void {
    this.addGroup(files.map((file) => ({ file, target, isTaken: isTaken(file.name), maxFileBytes })));
  }

  /**
   * Adds files that are shown together, see `add`.
   * @param folder the folder that contains them all
   */
  addGroup(uploads: readonly NewUpload[], folder?: UploadFolder): void {
    const groupId = ++this.lastGroupId;
    const newUploads = uploads.filter(({ file, target }) => !this.resumeInterrupted(target, file));
    const added = newUploads.map(({ file, target, isTaken, replaces, maxFileBytes }): UploadItem => {
      const item = { id: ++this.lastId, groupId, file, target, sent: 0, onConflict: 'refuse' as const };
      const links = { ...(folder && { folder }), ...(replaces && { replaces }) };
      if (maxFileBytes && file.size > maxFileBytes) {
        return { ...item, ...links, state: 'error', error: new ApiError(413, 'FILE_TOO_LARGE', ''), maxFileBytes };
      }
      return { ...item, ...links, state: isTaken ? 'duplicate' : 'pending' };
    });
    this.itemStore.setItems([...this.itemStore.getSnapshot(), ...added]);
    this.startNext();
  }

  /** Adds uploads of an earlier page load, which wait for their files. */
  addInterrupted(uploads: readonly InterruptedUpload[]): void {
    const added = uploads.map((upload): UploadItem => ({
      ...upload,
      id: ++this.lastId,
      groupId: ++this.lastGroupId,
      state: 'interrupted',
    }));
    if (added.length > 0) this.itemStore.setItems([...this.itemStore.getSnapshot(), ...added]);
  }

  /** Reattaches the file of an interrupted upload; returns false if it is a different file. */
  reattachFile(id: number, file: File): boolean {
    const item = this.itemStore
      .getSnapshot()
      .find((candidate) => candidate.id === id && candidate.state === 'interrupted' && !candidate.isFolder);
    if (!item || !isSameFile(item.file, file)) return false;
    this.itemStore.updateItems([id], { file, state: 'pending' });
    this.startNext();
    return true;
  }

  /** Whether an upload of an earlier page load waits for this file. */
  hasInterrupted(target: UploadTarget, file: FileMetadata): boolean {
    return this.findInterrupted(target, file) !== undefined;
  }

  /** Marks an interrupted upload as completed, because the server has stored the whole file. */
  markStored(target: UploadTarget, file: FileMetadata): void {
    const item = this.findInterrupted(target, file);
    if (!item) return;
    this.itemStore.updateItems([item.id], { state: 'completed', sent: 1 });
    this.options.onStored?.(item);
  }

  /** Stops uploads and removes them from the list. */
  cancel(ids: ItemIds): void {
    this.cancelWhere(isOneOf(ids));
    this.startNext();
  }

  /** Stops everything that hasn't completed or failed. */
  cancelAll(): void {
    this.cancelWhere(({ state }) => state !== 'completed' && state !== 'error');
  }

  /** Pauses uploads; the bytes already sent are kept. */
  pause(ids: ItemIds): void {
    this.pauseWhere(isOneOf(ids));
  }

  pauseAll(): void {
    this.pauseWhere(() => true);
  }

  /** Resumes paused uploads. */
  resume(ids: ItemIds): void {
    const isIncluded = isOneOf(ids);
    this.requeueWhere((item) => isIncluded(item) && item.state === 'paused');
  }

  resumeAll(): void {
    this.requeueWhere(({ state }) => state === 'paused');
  }

  /** Retries failed uploads from their current offset. */
  retry(ids: ItemIds): void {
    const isIncluded = isOneOf(ids);
    this.requeueWhere((item) => isIncluded(item) && isRetryable(item));
  }

  retryFailed(): void {
    this.requeueWhere(isRetryable);
  }

  /** Retries uploads that were rejected because the session had ended, once the user has signed in again. */
  retryUnauthenticated(): void {
    this.requeueWhere(({ state, error }) => state === 'error' && isUnauthenticated(error));
  }

  /** Sends the files whose names are taken: with a number added, or as the new content of these files. */
  resolveDuplicates(onConflict: Exclude<ConflictChoice, 'refuse'>): void {
    this.itemStore.updateEach((item) => (item.state === 'duplicate' ? { ...item, onConflict } : item));
    this.requeueWhere(({ state }) => state === 'duplicate');
  }

  /** Drops the files whose names are taken. */
  discardDuplicates(): void {
    this.itemStore.setItems(this.itemStore.getSnapshot().filter(({ state }) => state !== 'duplicate'));
  }

  /** Removes completed and failed uploads from the list. */
  clearFinished(): void {
    const failed = this.itemStore.getSnapshot().filter(({ state }) => state === 'error');
    this.itemStore.setItems(
      this.itemStore.getSnapshot().filter(({ state }) => state !== 'completed' && state !== 'error'),
    );
    for (const item of failed) void this.discard(item);
  }

  /** Returns bytes per second over the last seconds; 0 while unknown. */
  getSpeed(): number {
    return this.speedMeter.bytesPerSecond();
  }

  /** Resumes the interrupted upload of a file that was chosen again. */
  private resumeInterrupted(target: UploadTarget, file: File): boolean {
    const item = this.findInterrupted(target, file);
    return item !== undefined && this.reattachFile(item.id, file);
  }

  private findInterrupted(target: UploadTarget, file: FileMetadata): UploadItem | undefined {
    return this.itemStore
      .getSnapshot()
      .find(
        (candidate) =>
          candidate.state === 'interrupted' &&
          !candidate.isFolder &&
          isSameTarget(candidate.target, target) &&
          isSameFile(candidate.file, file),
      );
  }

  private requeueWhere(matches: (item: UploadItem) => boolean): void {
    this.itemStore.updateEach((item) => (matches(item) ? { ...item, state: 'pending', error: undefined } : item));
    this.startNext();
  }

  private cancelWhere(matches: (item: UploadItem) => boolean): void {
    const cancelled = this.itemStore.getSnapshot().filter(matches);
    this.itemStore.setItems(this.itemStore.getSnapshot().filter((item) => !matches(item)));
    for (const item of cancelled) void this.discard(item);
  }

  private pauseWhere(matches: (item: UploadItem) => boolean): void {
    const pausable = this.itemStore.getSnapshot().filter((item) => isPausable(item) && matches(item));
    const pausedIds = new Set(pausable.map(({ id }) => id));
    this.itemStore.updateEach((item) =>
      pausedIds.has(item.id) ? { ...item, state: 'paused', waitReason: undefined } : item,
    );
    for (const id of pausedIds) this.abortRequest(this.findActiveRequest(id));
  }

  /** Notifies `onDiscarded` only after sending has stopped, so that the deleted upload isn't started again. */
  private async discard(item: UploadItem): Promise<void> {
    const request = this.findActiveRequest(item.id);
    this.abortRequest(request);
    await request?.done;
    this.options.onDiscarded?.(item);
  }

  /**
   * Aborts a request; the other files of its batch become pending again. A batch whose bytes are all sent isn't
   * aborted.
   */
  private abortRequest(request: ActiveRequest | undefined): void {
    if (!request || (request.ids.length > 1 && request.isFullySent)) return;
    request.abortController.abort();
    const isStillUploading = (item: UploadItem) => request.ids.includes(item.id) && item.state === 'uploading';
    this.itemStore.updateEach((item) =>
      isStillUploading(item) ? { ...item, state: 'pending', sent: 0, batchKey: undefined } : item,
    );
  }

  private findActiveRequest(id: number): ActiveRequest | undefined {
    return [...this.activeRequests].find(({ ids }) => ids.includes(id));
  }

  private startNext(): void {
    // An upload that is paused and resumed at once must finish its first request before the next one starts.
    while (this.activeRequests.size < MAX_ACTIVE_REQUESTS) {
      const busyIds = new Set([...this.activeRequests].flatMap(({ ids }) => ids));
      const pending = this.itemStore.getSnapshot().filter(({ id, state }) => state === 'pending' && !busyIds.has(id));
      const items = this.options.sendBatch ? selectNextBatch(pending) : pending.slice(0, 1);
      if (items.length === 0) return;
      const ids = items.map(({ id }) => id);
      const request: ActiveRequest = {
        ids,
        abortController: new AbortController(),
        isFullySent: false,
        done: Promise.resolve(),
      };
      this.activeRequests.add(request);
      const batchKey = items.length > 1 || items[0]!.batchKey ? (items[0]!.batchKey ?? createUuid()) : undefined;
      this.itemStore.updateItems(ids, { state: 'uploading', error: undefined, batchKey });
      request.done = batchKey ? this.sendAsBatch(items, batchKey, request) : this.sendSingle(items[0]!, request);
    }
  }

  private sendSingle(item: UploadItem, request: ActiveRequest): Promise<void> {
    const work = async (onProgress: OnProgress, signal: AbortSignal) => {
      await this.options.send(item, onProgress, signal);
      this.itemStore.updateItems(request.ids, { state: 'completed', sent: 1, waitReason: undefined });
      this.options.onStored?.(item);
    };
    return this.runRequest(request, work, (error) => this.recordFailure(item, error));
  }

  private sendAsBatch(items: readonly UploadItem[], key: string, request: ActiveRequest): Promise<void> {
    const work = async (onProgress: OnProgress, signal: AbortSignal) =>
      this.completeBatch(items, await this.options.sendBatch!(items, key, onProgress, signal));
    return this.runRequest(request, work, (error) => {
      for (const { ids, changes } of resolveBatchError(items, error)) this.itemStore.updateItems(ids, changes);
    });
  }

  private async runRequest(
    request: ActiveRequest,
    work: (onProgress: OnProgress, signal: AbortSignal) => Promise<void>,
    onError: (error: unknown) => void,
  ): Promise<void> {
    const { signal } = request.abortController;
    try {
      await work((report) => this.recordProgress(request, report), signal);
    } catch (error) {
      if (!signal.aborted) onError(error);
    } finally {
      this.activeRequests.delete(request);
      if (this.activeRequests.size === 0) this.speedMeter.reset();
      this.startNext();
    }
  }

  private completeBatch(items: readonly UploadItem[], stored: readonly StoredFile[]): void {
    const presentIds = new Set(this.itemStore.getSnapshot().map(({ id }) => id));
    const completed = items.filter(({ id }) => presentIds.has(id));
    const ids = completed.map(({ id }) => id);
    this.itemStore.updateItems(ids, { state: 'completed', sent: 1, waitReason: undefined, batchKey: undefined });
    const unwantedIds = findUnwantedIds(completed, stored);
    if (unwantedIds.length > 0) this.options.onCancelledStored?.(unwantedIds);
    for (const item of completed) this.options.onStored?.(item);
  }

  private recordFailure(item: UploadItem, error: unknown): void {
    const isNameTaken = hasCode(error, 'DUPLICATE_NAMES');
    const changes = isNameTaken ? { state: 'duplicate' as const, sent: 0 } : { state: 'error' as const };
    this.itemStore.updateItems([item.id], { ...changes, waitReason: undefined, error });
    // Data uploaded under a taken name can't be stored under another name.
    if (isNameTaken) this.options.onDiscarded?.(item);
  }

  /** Ignores late progress of aborted requests. */
  private recordProgress(request: ActiveRequest, report: ProgressReport): void {
    if (request.abortController.signal.aborted) return;
    if (report.sent === 1) request.isFullySent = true;
    this.itemStore.updateItems(request.ids, report);
    if (report.waitReason) this.speedMeter.reset();
    if (report.sent !== undefined) this.speedMeter.addSample(sumSentBytes(this.itemStore.getSnapshot()));
  }
}

/** One ID or several. */
type ItemIds = number | readonly number[];

function isOneOf(ids: ItemIds): (item: UploadItem) => boolean {
  const idSet = new Set([ids].flat());
  return ({ id }) => idSet.has(id);
}

const isUnauthenticated = (error: unknown) => error instanceof ApiError && error.status === 401;
