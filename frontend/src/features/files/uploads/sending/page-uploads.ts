import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from '../../../../shared/api/client';
import { currentUserKey, type CurrentUser } from '../../../../shared/api/current-user';
import { invalidate } from '../../../../shared/api/invalidate';
import { sendBatch } from './send-batch';
import { terminateUpload, sendFile } from './send-file';
import type { StoredFile, UploadItem } from './upload-item';
import { folderUploadStorage, type RememberedFolder } from '../folders/folder-upload-storage';
import { holdUploadLock } from './upload-locks';
import { uploadStorage } from './upload-storage';
import type { ProgressReport } from './queue-options';
import { UploadQueue } from './upload-queue';

/** Lists are refetched at most once in this many milliseconds while many files arrive one after another. */
const REFRESH_INTERVAL = 1000;

const pageUploadsByClient = new WeakMap<QueryClient, PageUploads>();

interface PageUploads {
  readonly queue: UploadQueue;
  /** Starts to remember the upload of a folder, until all its files are stored or discarded. */
  readonly rememberFolder: (folder: RememberedFolder) => void;
  /** Resolves once the displayed lists include the stored files. */
  readonly whenListsRefreshed: () => Promise<void>;
}

/** Returns the upload queue of the page. It lives as long as the page, whichever route is shown. */
export function getUploadQueue(queryClient: QueryClient): UploadQueue {
  return getPageUploads(queryClient).queue;
}

function getPageUploads(queryClient: QueryClient): PageUploads {
  let pageUploads = pageUploadsByClient.get(queryClient);
  if (!pageUploads) pageUploadsByClient.set(queryClient, (pageUploads = createPageUploads(queryClient)));
  return pageUploads;
}

export function useUploadQueue(): UploadQueue {
  return getUploadQueue(useQueryClient());
}

/**
 * Remembers the upload of a folder, so that the page can ask for the folder again after a reload. Must be called before
 * its files are added to the queue.
 */
export function rememberFolderUpload(queryClient: QueryClient, folder: RememberedFolder): void {
  getPageUploads(queryClient).rememberFolder(folder);
}

export const useWhenListsRefreshed = () => getPageUploads(useQueryClient()).whenListsRefreshed;

/** Returns the current upload items and re-renders when they change. */
export function useUploadItems(): readonly UploadItem[] {
  const { subscribe, getSnapshot } = useUploadQueue();
  return useSyncExternalStore(subscribe, getSnapshot);
}

function createPageUploads(queryClient: QueryClient): PageUploads {
  const listRefresh = throttle(() => invalidate(queryClient, 'POST /api/zones/{id}/files'), REFRESH_INTERVAL);
  const onDiscarded = (item: UploadItem) => {
    if (item.isFolder && item.folder) folderUploadStorage.remove(item.folder.id);
    const url = uploadStorage.findUrl(getCurrentUserId(queryClient), item);
    if (url) void terminateUpload(url);
  };
  const queue = new UploadQueue({
    send: (...args) => sendSingleFile(queryClient, ...args),
    sendBatch: (...args) => sendSmallFiles(queryClient, ...args),
    onCancelledStored: (ids) => void deleteUnwanted(queryClient, ids),
    onStored: listRefresh.trigger,
    onDiscarded,
  });
  onSignedInAgain(queryClient, () => queue.retryUnauthenticated());
  const rememberFolder = (folder: RememberedFolder) => rememberUntilFinished(queue, folder);
  return { queue, rememberFolder, whenListsRefreshed: listRefresh.flush };
}

/** Other tabs see by the lock that this one is sending the folder. */
function rememberUntilFinished(queue: UploadQueue, folder: RememberedFolder): void {
  folderUploadStorage.add(folder);
  const { promise, resolve } = Promise.withResolvers<void>();
  holdUploadLock(folder.id, promise);
  const isUnfinished = (item: UploadItem) => item.folder?.id === folder.id && item.state !== 'completed';
  const unsubscribe = queue.subscribe(() => {
    if (queue.getSnapshot().some(isUnfinished)) return;
    unsubscribe();
    folderUploadStorage.remove(folder.id);
    resolve();
  });
}

/** Calls back each time the same user signs in again after their session ended. */
function onSignedInAgain(queryClient: QueryClient, callback: () => void): void {
  let lastUserId = getCurrentUserId(queryClient);
  let wasSignedOut = false;
  queryClient.getQueryCache().subscribe(() => {
    const userId = getCurrentUserId(queryClient);
    if (userId === 0) {
      wasSignedOut = true;
      return;
    }
    const hasReturned = wasSignedOut && userId === lastUserId;
    wasSignedOut = false;
    lastUserId = userId;
    if (hasReturned) callback();
  });
}

const getCurrentUserId = (queryClient: QueryClient) =>
  queryClient.getQueryData<CurrentUser | null>(currentUserKey)?.id ?? 0;

/**
 * `trigger` calls immediately, and then at most once every `ms` milliseconds. `flush` makes the pending call, if any,
 * and resolves after the last call.
 */
function throttle(callback: () => Promise<unknown>, ms: number) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isCallPending = false;
  let lastCall: Promise<unknown> = Promise.resolve();
  const run = () => {
    isCallPending = false;
    lastCall = callback();
    timer = setTimeout(() => {
      timer = null;
      if (isCallPending) run();
    }, ms);
  };
  const trigger = () => {
    if (timer === null) run();
    else isCallPending = true;
  };
  const flush = async () => {
    if (isCallPending) {
      if (timer !== null) clearTimeout(timer);
      run();
    }
    await lastCall;
  };
  return { trigger, flush };
}

/** Runs uploads as React Query mutations, so that an expired session is handled like everywhere else. */
function runAsMutation<T>(queryClient: QueryClient, mutationFn: () => Promise<T>): Promise<T> {
  const options = { mutationFn, gcTime: 0 };
  return queryClient.getMutationCache().build<T, unknown, void, unknown>(queryClient, options).execute();
}

async function sendSingleFile(
  queryClient: QueryClient,
  item: UploadItem,
  onProgress: (report: ProgressReport) => void,
  signal: AbortSignal,
): Promise<void> {
  const { file } = item;
  if (!(file instanceof File)) throw new Error('A file that is lost cannot be sent.');
  const userId = getCurrentUserId(queryClient);
  await runAsMutation(queryClient, () => sendFile({ item: { ...item, file }, userId, onProgress, signal }));
}

async function sendSmallFiles(
  queryClient: QueryClient,
  items: readonly UploadItem[],
  key: string,
  onProgress: (report: ProgressReport) => void,
  signal: AbortSignal,
): Promise<readonly StoredFile[]> {
  const files = items.flatMap((item) => (item.file instanceof File ? { ...item, file: item.file } : []));
  const { target } = items[0]!;
  return runAsMutation(queryClient, () => sendBatch({ items: files, target, key, onProgress, signal }));
}

/** Deletes files that were cancelled when their request couldn't be stopped any more; they go to the trash. */
async function deleteUnwanted(queryClient: QueryClient, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    // If this fails, the file is in its folder and can be deleted like any other.
    await runAsMutation(queryClient, () => api.DELETE('/api/files/{id}', { params: { path: { id } } })).catch(
      () => undefined,
    );
  }
  await invalidate(queryClient, 'DELETE /api/files/{id}');
}
