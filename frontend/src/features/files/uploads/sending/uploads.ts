import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from '../../../../shared/api/client';
import { currentUserKey, type CurrentUser } from '../../../../shared/api/current-user';
import { touch } from '../../../../shared/api/touch';
import { sendBatch } from './send-batch';
import { forgetUpload, sendFile } from './send-file';
import type { StoredFile, UploadItem } from './upload-item';
import { uploadMemory } from './upload-memory';
import type { Report } from './queue-options';
import { UploadQueue } from './upload-queue';

/** Of many files that arrive one after the other, lists are asked for anew at most this often. */
const refreshEvery = 1000;

const queues = new WeakMap<QueryClient, PageUploads>();

interface PageUploads {
  readonly queue: UploadQueue;
  /** Resolves once what has arrived is in the lists that are shown. */
  readonly whenListed: () => Promise<void>;
}

/** The uploads of the page. They live as long as the page itself, whichever part of it is shown. */
export function uploadsOf(queries: QueryClient): UploadQueue {
  return pageUploadsOf(queries).queue;
}

function pageUploadsOf(queries: QueryClient): PageUploads {
  let uploads = queues.get(queries);
  if (!uploads) queues.set(queries, (uploads = createUploads(queries)));
  return uploads;
}

export function useUploads(): UploadQueue {
  return uploadsOf(useQueryClient());
}

export const useWhenListed = () => pageUploadsOf(useQueryClient()).whenListed;

/** The files on their way, kept up to date. */
export function useUploadItems(): readonly UploadItem[] {
  const { subscribe, snapshot } = useUploads();
  return useSyncExternalStore(subscribe, snapshot);
}

function createUploads(queries: QueryClient): PageUploads {
  const lists = throttled(() => touch(queries, 'POST /api/zones/{id}/files'), refreshEvery);
  const onDropped = (item: UploadItem) => {
    const url = uploadMemory.urlOf(userOf(queries), item);
    if (url) void forgetUpload(url);
  };
  const queue = new UploadQueue({
    send: (...args) => send(queries, ...args),
    sendBatch: (...args) => sendTogether(queries, ...args),
    onUnwanted: (ids) => void removeUnwanted(queries, ids),
    onStored: lists.ask,
    onDropped,
  });
  onReturn(queries, () => queue.retrySignedOut());
  return { queue, whenListed: lists.settle };
}

/** Calls each time that a person whose session had ended is signed in again. */
function onReturn(queries: QueryClient, call: () => void): void {
  let last = userOf(queries);
  let away = false;
  queries.getQueryCache().subscribe(() => {
    const user = userOf(queries);
    if (user === 0) {
      away = true;
      return;
    }
    const returned = away && user === last;
    away = false;
    last = user;
    if (returned) call();
  });
}

const userOf = (queries: QueryClient) => queries.getQueryData<CurrentUser | null>(currentUserKey)?.id ?? 0;

/**
 * `ask` calls at once, and then again only after `ms`, however often it is asked for meanwhile. `settle` makes the call that
 * is still due, and resolves after the last one.
 */
function throttled(call: () => Promise<unknown>, ms: number) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  let last: Promise<unknown> = Promise.resolve();
  const run = () => {
    again = false;
    last = call();
    timer = setTimeout(() => {
      timer = null;
      if (again) run();
    }, ms);
  };
  const ask = () => {
    if (timer === null) run();
    else again = true;
  };
  const settle = async () => {
    if (again) {
      if (timer !== null) clearTimeout(timer);
      run();
    }
    await last;
  };
  return { ask, settle };
}

/** What is sent is a mutation like any other, so that an ended session is noticed as everywhere. */
function asMutation<T>(queries: QueryClient, mutationFn: () => Promise<T>): Promise<T> {
  const options = { mutationFn, gcTime: 0 };
  return queries.getMutationCache().build<T, unknown, void, unknown>(queries, options).execute();
}

async function send(
  queries: QueryClient,
  item: UploadItem,
  onReport: (report: Report) => void,
  signal: AbortSignal,
): Promise<void> {
  const { file } = item;
  if (!(file instanceof File)) throw new Error('A file that is lost cannot be sent.');
  const userId = userOf(queries);
  await asMutation(queries, () => sendFile({ item: { ...item, file }, userId, onReport, signal }));
}

async function sendTogether(
  queries: QueryClient,
  items: readonly UploadItem[],
  key: string,
  onReport: (report: Report) => void,
  signal: AbortSignal,
): Promise<readonly StoredFile[]> {
  const files = items.flatMap((item) => (item.file instanceof File ? { ...item, file: item.file } : []));
  const { target } = items[0]!;
  return asMutation(queries, () => sendBatch({ items: files, target, key, onReport, signal }));
}

/** Files that were cancelled when nothing could stop them any more go where deleted files go. */
async function removeUnwanted(queries: QueryClient, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    // Should it fail, the file stands in its folder, where it can be deleted as any other.
    await asMutation(queries, () => api.DELETE('/api/files/{id}', { params: { path: { id } } })).catch(() => undefined);
  }
  await touch(queries, 'DELETE /api/files/{id}');
}
