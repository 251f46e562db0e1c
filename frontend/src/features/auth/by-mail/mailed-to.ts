const key = 'zonary.mailedTo';
/** The link and the code of the mail live ten minutes. */
const lifetime = 10 * 60_000;

/** To whom a mail to sign in was sent from this tab: after a reload the page still waits for its code. */
export const mailedTo = {
  get(): string | null {
    try {
      const { email, at } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as { email?: string; at?: number };
      return email !== undefined && at !== undefined && Date.now() - at < lifetime ? email : null;
    } catch {
      return null;
    }
  },
  keep(email: string): void {
    try {
      sessionStorage.setItem(key, JSON.stringify({ email, at: Date.now() }));
    } catch {
      // A browser that refuses storage loses it with a reload; the link in the mail still works.
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // Nothing was stored, so nothing is left behind.
    }
  },
};
