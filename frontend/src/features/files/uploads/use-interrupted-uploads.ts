import { useEffect } from 'react';
import { api } from '../../../shared/api/client';
import { useCurrentUser } from '../../../shared/api/current-user';
import { terminateUpload } from './sending/send-file';
import { isSameFile, isSameTarget } from './sending/upload-item';
import { uploadStorage, type RememberedUpload } from './sending/upload-storage';
import { findUploadsInProgress } from './sending/upload-locks';
import { folderUploadStorage } from './folders/folder-upload-storage';
import type { UploadQueue } from './sending/upload-queue';
import { useUploadQueue } from './sending/page-uploads';

/**
 * Milliseconds after which the server is asked again: what it had received before the reload is stored soon afterwards.
 */
const RECHECK_DELAYS = [2_000, 8_000, 30_000];

/** Restores the unfinished uploads of earlier page loads, once for each signed-in user. */
export function useInterruptedUploads(): void {
  const uploadQueue = useUploadQueue();
  const userId = useCurrentUser().data?.id;
  useEffect(() => {
    if (userId === undefined) return undefined;
    void restoreInterrupted(uploadQueue, userId);
    void restoreInterruptedFolders(uploadQueue, userId);
    const timers = RECHECK_DELAYS.map((delay) => setTimeout(() => void markStoredUploads(uploadQueue, userId), delay));
    return () => timers.forEach(clearTimeout);
  }, [uploadQueue, userId]);
}

/** Marks uploads that the server has stored in the meantime as completed. */
async function markStoredUploads(queue: UploadQueue, userId: number): Promise<void> {
  const interrupted = uploadStorage.list(userId).filter(({ target, file }) => queue.hasInterrupted(target, file));
  if (interrupted.length === 0) return;
  const response = await api.GET('/api/uploads').catch(() => null);
  if (!response?.data) return;
  const openPaths = new Set(response.data.map(({ location }) => toPathname(location)));
  for (const { url, target, file } of interrupted.filter((upload) => !openPaths.has(toPathname(upload.url)))) {
    uploadStorage.remove(url);
    queue.markStored(target, file);
  }
}

const toPathname = (url: string) => new URL(url, location.origin).pathname;

/** Shows the folders whose upload was interrupted, and that no other tab is uploading. */
async function restoreInterruptedFolders(queue: UploadQueue, userId: number): Promise<void> {
  const remembered = folderUploadStorage.list(userId);
  const activeIds = await findUploadsInProgress(remembered.map(({ id }) => id));
  const queuedIds = new Set(queue.getSnapshot().map(({ folder }) => folder?.id));
  queue.addInterrupted(
    remembered
      .filter(({ id }) => !activeIds.has(id) && !queuedIds.has(id))
      .map(({ id, name, size, target }) => {
        const file = { name, size, type: '', lastModified: 0 };
        return { file, target, onConflict: 'refuse', sent: 0, folder: { id, name }, isFolder: true };
      }),
  );
}

/** Asks the server which uploads still exist: some were finished elsewhere, or expired after a day. */
async function restoreInterrupted(queue: UploadQueue, userId: number): Promise<void> {
  const remembered = uploadStorage.list(userId);
  if (remembered.length === 0) return;
  const urls = remembered.map(({ url }) => url);
  const [activeUrls, response] = await Promise.all([
    findUploadsInProgress(urls),
    api.GET('/api/uploads').catch(() => null),
  ]);
  // They are requested again at the next page load.
  if (!response?.data) return;
  const openByPath = new Map(response.data.map((upload) => [toPathname(upload.location), upload]));
  const inactive = remembered.filter(({ url }) => !activeUrls.has(url));
  for (const { url, dropped } of inactive) {
    if (!openByPath.has(toPathname(url))) uploadStorage.remove(url);
    else if (dropped) void terminateUpload(url);
  }
  const resumable = inactive.filter(
    (upload) => !upload.dropped && openByPath.has(toPathname(upload.url)) && !isQueued(queue, upload),
  );
  queue.addInterrupted(
    resumable.map(({ url, file, target, onConflict, replaces }) => {
      const { received, length } = openByPath.get(toPathname(url))!;
      return { file, target, onConflict, ...(replaces && { replaces }), sent: length > 0 ? received / length : 0 };
    }),
  );
}

/** Whether this page already has the upload in its queue. */
function isQueued(queue: UploadQueue, { target, file }: RememberedUpload): boolean {
  return queue.getSnapshot().some((item) => isSameTarget(item.target, target) && isSameFile(item.file, file));
}
