import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from '../../../../shared/api/client';
import { currentUserKey, type CurrentUser } from '../../../../shared/api/current-user';
import { invalidate } from '../../../../shared/api/invalidate';
import { sendBatch } from './send-batch';
import { terminateUpload, sendFile } from './send-file';
import type { StoredFile, UploadItem } from './upload-item';
import { uploadStorage } from './upload-storage';
import type { ProgressReport } from './queue-options';
import { UploadQueue } from './upload-queue';

/** Of many files that arrive one after the other, lists are asked for anew at most this often. */
const REFRESH_INTERVAL = 1000;

const pageUploadsByClient = new WeakMap<QueryClient, PageUploads>();

interface PageUploads {
  readonly queue: UploadQueue;
  /** Resolves once what has arrived is in the lists that are shown. */
  readonly whenListsRefreshed: () => Promise<void>;
}

/** The uploads of the page. They live as long as the page itself, whichever part of it is shown. */
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

export const useWhenListsRefreshed = () => getPageUploads(useQueryClient()).whenListsRefreshed;

/** The files on their way, kept up to date. */
export function useUploadItems(): readonly UploadItem[] {
  const { subscribe, getSnapshot } = useUploadQueue();
  return useSyncExternalStore(subscribe, getSnapshot);
}

function createPageUploads(queryClient: QueryClient): PageUploads {
  const listRefresh = throttle(() => invalidate(queryClient, 'POST /api/zones/{id}/files'), REFRESH_INTERVAL);
  const onDiscarded = (item: UploadItem) => {
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
  return { queue, whenListsRefreshed: listRefresh.flush };
}

/** Calls each time that a person whose session had ended is signed in again. */
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
 * `trigger` calls at once, and then again only after `ms`, however often it is asked for meanwhile. `flush` makes the call that
 * is still due, and resolves after the last one.
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

/** What is sent is a mutation like any other, so that an ended session is noticed as everywhere. */
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

/** Files that were cancelled when nothing could stop them any more go where deleted files go. */
async function deleteUnwanted(queryClient: QueryClient, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    // Should it fail, the file stands in its folder, where it can be deleted as any other.
    await runAsMutation(queryClient, () => api.DELETE('/api/files/{id}', { params: { path: { id } } })).catch(
      () => undefined,
    );
  }
  await invalidate(queryClient, 'DELETE /api/files/{id}');
}
