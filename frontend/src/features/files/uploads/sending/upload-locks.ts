/** Name of a Web Lock, which all tabs of the browser see and which is released when the tab that holds it closes. */
const lockName = (url: string) => `zonary-upload:${new URL(url, location.origin).pathname}`;

/** Holds the lock until `work` settles, so that other tabs can see that this one is sending the upload. */
export function holdUploadLock(url: string, work: Promise<unknown>): void {
  // Web Locks need a secure context; without them, tabs show each other's uploads.
  if (!('locks' in navigator)) return;
  const finished = work.catch(() => undefined);
  void navigator.locks.request(lockName(url), { ifAvailable: true }, () => finished);
}

/** Returns which of these uploads a tab of this browser is sending now. */
export async function findUploadsInProgress(urls: readonly string[]): Promise<Set<string>> {
  if (!('locks' in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  const lockNames = new Set(held.map(({ name }) => name));
  return new Set(urls.filter((url) => lockNames.has(lockName(url))));
}
