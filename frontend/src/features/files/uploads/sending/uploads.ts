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

const queues = new WeakMap<QueryClient, UploadQueue>();

/** The uploads of the page. They live as long as the page itself, whichever part of it is shown. */
export function uploadsOf(queries: QueryClient): UploadQueue {
  let queue = queues.get(queries);
  if (!queue) queues.set(queries, (queue = createQueue(queries)));
  return queue;
}

export function useUploads(): UploadQueue {
  return uploadsOf(useQueryClient());
}

/** The files on their way, kept up to date. */
export function useUploadItems(): readonly UploadItem[] {
  const { subscribe, snapshot } = useUploads();
  return useSyncExternalStore(subscribe, snapshot);
}

function createQueue(queries: QueryClient): UploadQueue {
  const onStored = throttled(() => void touch(queries, 'POST /api/zones/{id}/files'), refreshEvery);
  const onDropped = (item: UploadItem) => {
    const url = uploadMemory.urlOf(userOf(queries), item);
    if (url) void forgetUpload(url);
  };
  const queue = new UploadQueue({
    send: (...args) => send(queries, ...args),
    sendBatch: (...args) => sendTogether(queries, ...args),
    onUnwanted: (ids) => void removeUnwanted(queries, ids),
    ...{ onStored, onDropped },
  });
  onReturn(queries, () => queue.retrySignedOut());
  return queue;
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

/** Calls at once, and then again only after `ms`, however often it is asked for meanwhile. */
function throttled(call: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  const run = () => {
    again = false;
    call();
    timer = setTimeout(() => {
      timer = null;
      if (again) run();
    }, ms);
  };
  return () => {
    if (timer === null) run();
    else again = true;
  };
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
