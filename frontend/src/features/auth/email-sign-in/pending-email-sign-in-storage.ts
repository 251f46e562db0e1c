const STORAGE_KEY = 'zonary.mailedTo';
/** Milliseconds; the link and the code in the email are valid for ten minutes. */
const PENDING_SIGN_IN_TTL = 10 * 60_000;

/** The address to which this tab requested a sign-in email: after a reload the page still waits for the code. */
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
      // If the browser refuses storage, a reload loses the address; the link in the email still works.
    }
  },
  clear(): void {
    try {
      sessionStorage.removeItem(STORAGE_KEY);
    } catch {
      // Nothing was stored, so there is nothing to remove.
    }
  },
};
