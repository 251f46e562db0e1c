/** Names a lock of the browser, which all its tabs see and which ends with the tab that holds it. */
const lockOf = (url: string) => `zonary-upload:${new URL(url, location.origin).pathname}`;

/** Until `work` is over, other tabs can tell that this one sends the upload. */
export function whileSent(url: string, work: Promise<unknown>): void {
  // Pages at a plain address other than localhost have no locks; their tabs then show each other's uploads.
  if (!('locks' in navigator)) return;
  const over = work.catch(() => undefined);
  void navigator.locks.request(lockOf(url), { ifAvailable: true }, () => over);
}

/** Which of these uploads a tab of this browser is sending now. */
export async function sentByTabs(urls: readonly string[]): Promise<Set<string>> {
  if (!('locks' in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map(({ name }) => name));
  return new Set(urls.filter((url) => names.has(lockOf(url))));
}
