/** A join attempt that waits for the code from the email, kept in this tab. */
export interface PendingJoin {
  readonly email: string;
  /** Token that lets only this window submit the code. */
  readonly handle: string;
}

const storageKeyFor = (page: string) => `zonary.join ${page}`;
/** Milliseconds; the link in the email is valid for one day, so the attempt is kept no longer. */
const PENDING_JOIN_TTL = 24 * 60 * 60_000;

/** Stored by page: after a reload the page still waits for the code. */
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
      // If the browser refuses storage, a reload loses the attempt; the link in the email still works.
    }
  },
  clear(page: string): void {
    try {
      sessionStorage.removeItem(storageKeyFor(page));
    } catch {
      // Nothing was stored, so there is nothing to remove.
    }
  },
};
