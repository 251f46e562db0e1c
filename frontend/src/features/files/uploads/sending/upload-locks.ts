/** Names a lock of the browser, which all its tabs see and which ends with the tab that holds it. */
const lockName = (url: string) => `zonary-upload:${new URL(url, location.origin).pathname}`;

/** Until `work` is over, other tabs can tell that this one sends the upload. */
export function holdUploadLock(url: string, work: Promise<unknown>): void {
  // Pages at a plain address other than localhost have no locks; their tabs then show each other's uploads.
  if (!('locks' in navigator)) return;
  const finished = work.catch(() => undefined);
  void navigator.locks.request(lockName(url), { ifAvailable: true }, () => finished);
}

/** Which of these uploads a tab of this browser is sending now. */
export async function findUploadsInProgress(urls: readonly string[]): Promise<Set<string>> {
  if (!('locks' in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  const lockNames = new Set(held.map(({ name }) => name));
  return new Set(urls.filter((url) => lockNames.has(lockName(url))));
}
