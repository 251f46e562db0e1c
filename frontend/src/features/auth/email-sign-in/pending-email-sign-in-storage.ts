const STORAGE_KEY = 'zonary.mailedTo';
/** The link and the code of the mail live ten minutes. */
const PENDING_SIGN_IN_TTL = 10 * 60_000;

/** To whom a mail to sign in was sent from this tab: after a reload the page still waits for its code. */
export const pendingEmailSignInStorage = {
  get(): string | null {
    try {
      const { email, at } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as { email?: string; at?: number };
      return email !== undefined && at !== undefined && Date.now() - at < PENDING_SIGN_IN_TTL ? email : null;
    } catch {
      return null;
    }
  },
  save(email: string): void {
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ email, at: Date.now() }));
    } catch {
      // A browser that refuses storage loses it with a reload; the link in the mail still works.
    }
  },
  clear(): void {
    try {
      sessionStorage.removeItem(STORAGE_KEY);
    } catch {
      // Nothing was stored, so nothing is left behind.
    }
  },
};
