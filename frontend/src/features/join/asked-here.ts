/** What this tab keeps of a try to join, until the code of the mail has been typed. */
export interface Asked {
  readonly email: string;
  /** With it the server takes the code from this window alone. */
  readonly handle: string;
}

const nameOf = (page: string) => `zonary.join ${page}`;
/** The mailed link lives a day; the window need not wait longer. */
const lifetime = 24 * 60 * 60_000;

/** By page: after a reload it waits for the code as before. */
export const askedHere = {
  get(page: string): Asked | null {
    try {
      const { email, handle, at } = JSON.parse(sessionStorage.getItem(nameOf(page)) ?? '{}') as Partial<
        Asked & { at: number }
      >;
      if (email === undefined || handle === undefined || at === undefined) return null;
      return Date.now() - at < lifetime ? { email, handle } : null;
    } catch {
      return null;
    }
  },
  keep(page: string, { email, handle }: Asked): void {
    try {
      sessionStorage.setItem(nameOf(page), JSON.stringify({ email, handle, at: Date.now() }));
    } catch {
      // A browser that refuses storage loses it with a reload; the link in the mail still works.
    }
  },
  forget(page: string): void {
    try {
      sessionStorage.removeItem(nameOf(page));
    } catch {
      // Nothing was stored, so nothing is left behind.
    }
  },
};
