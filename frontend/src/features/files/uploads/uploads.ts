import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { uploadFile } from '../../../shared/api/upload';
import { refreshFiles } from '../api/refresh';
import type { StoredFile } from '../entries';
import { UploadQueue, type UploadItem } from './upload-queue';

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
  const onStored = throttled(() => void refreshFiles(queries), refreshEvery);
  return new UploadQueue({ send: (...args) => send(queries, ...args), onStored });
}

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

/** A mutation like any other, so that an ended session is noticed as everywhere. */
async function send(
  queries: QueryClient,
  { file, target, rename }: UploadItem,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams();
  if (target.folderId !== null) query.set('folderId', String(target.folderId));
  if (rename) query.set('onConflict', 'rename');
  const url = `/api/zones/${target.zoneId}/files?${query}`;
  const mutationFn = () => uploadFile<StoredFile[]>({ url, field: 'files', file, onProgress, signal });
  await queries.getMutationCache().build(queries, { mutationFn, gcTime: 0 }).execute(undefined);
}
