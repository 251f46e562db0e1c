/** What this tab keeps of a try to join, until the code of the mail has been typed. */
export interface PendingJoin {
  readonly email: string;
  /** With it the server takes the code from this window alone. */
  readonly handle: string;
}

const storageKeyFor = (page: string) => `zonary.join ${page}`;
/** The mailed link lives a day; the window need not wait longer. */
const PENDING_JOIN_TTL = 24 * 60 * 60_000;

/** By page: after a reload it waits for the code as before. */
export const pendingJoinStorage = {
  get(page: string): PendingJoin | null {
    try {
      const { email, handle, at } = JSON.parse(sessionStorage.getItem(storageKeyFor(page)) ?? '{}') as Partial<
        PendingJoin & { at: number }
      >;
      if (email === undefined || handle === undefined || at === undefined) return null;
      return Date.now() - at < PENDING_JOIN_TTL ? { email, handle } : null;
    } catch {
      return null;
    }
  },
  save(page: string, { email, handle }: PendingJoin): void {
    try {
      sessionStorage.setItem(storageKeyFor(page), JSON.stringify({ email, handle, at: Date.now() }));
    } catch {
      // A browser that refuses storage loses it with a reload; the link in the mail still works.
    }
  },
  clear(page: string): void {
    try {
      sessionStorage.removeItem(storageKeyFor(page));
    } catch {
      // Nothing was stored, so nothing is left behind.
    }
  },
};
