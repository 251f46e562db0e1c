import { useEffect } from 'react';
import { api } from '../../../shared/api/client';
import { useCurrentUser } from '../../../shared/api/current-user';
import { forgetUpload } from './sending/send-file';
import { isSameFile, isSameTarget } from './sending/upload-item';
import { uploadMemory, type RememberedUpload } from './sending/upload-memory';
import { sentByTabs } from './sending/upload-presence';
import type { UploadQueue } from './sending/upload-queue';
import { useUploads } from './sending/uploads';

/** Milliseconds after which the server is asked again: what had reached it as the page went is stored soon after. */
const askAgain = [2_000, 8_000, 30_000];

/** Shows what an earlier page began and did not finish, once for each person who is signed in. */
export function useInterruptedUploads(): void {
  const uploads = useUploads();
  const userId = useCurrentUser().data?.id;
  useEffect(() => {
    if (userId === undefined) return undefined;
    void restore(uploads, userId);
    const timers = askAgain.map((wait) => setTimeout(() => void settle(uploads, userId), wait));
    return () => timers.forEach(clearTimeout);
  }, [uploads, userId]);
}

/** Takes what the server has stored meanwhile for what it is: arrived. */
async function settle(queue: UploadQueue, userId: number): Promise<void> {
  const waiting = uploadMemory.all(userId).filter(({ target, file }) => queue.isInterrupted(target, file));
  if (waiting.length === 0) return;
  const answer = await api.GET('/api/uploads').catch(() => null);
  if (!answer?.data) return;
  const open = new Set(answer.data.map(({ location }) => pathOf(location)));
  for (const { url, target, file } of waiting.filter((one) => !open.has(pathOf(one.url)))) {
    uploadMemory.forget(url);
    queue.arrived(target, file);
  }
}

const pathOf = (url: string) => new URL(url, location.origin).pathname;

/** The server says what is left of them: some were finished elsewhere, or given up after a day. */
async function restore(queue: UploadQueue, userId: number): Promise<void> {
  const known = uploadMemory.all(userId);
  if (known.length === 0) return;
  const urls = known.map(({ url }) => url);
  const [busy, answer] = await Promise.all([sentByTabs(urls), api.GET('/api/uploads').catch(() => null)]);
  // They are asked for again when the page is loaded next.
  if (!answer?.data) return;
  const open = new Map(answer.data.map((upload) => [pathOf(upload.location), upload]));
  const idle = known.filter(({ url }) => !busy.has(url));
  for (const { url, dropped } of idle) {
    if (!open.has(pathOf(url))) uploadMemory.forget(url);
    else if (dropped) void forgetUpload(url);
  }
  const left = idle.filter((one) => !one.dropped && open.has(pathOf(one.url)) && !isIn(queue, one));
  queue.addInterrupted(
    left.map(({ url, file, target, rename }) => {
      const { received, length } = open.get(pathOf(url))!;
      return { file, target, rename, sent: length > 0 ? received / length : 0 };
    }),
  );
}

/** True for what this page is at work on by now. */
function isIn(queue: UploadQueue, { target, file }: RememberedUpload): boolean {
  return queue.snapshot().some((item) => isSameTarget(item.target, target) && isSameFile(item.file, file));
}
