import { accountHeader } from '../account/account-header';

const KEY_PREFIX = 'zonary.words.';
/** Written when drafts are cleared, which notifies the browser's other tabs. */
const CLEARED_KEY = 'zonary.words-forgotten';

const accountPrefix = (userId: number) => `${KEY_PREFIX}${userId}.`;

/**
 * Stores unsaved input in this tab across reloads, separately for each account. Drafts are deleted when they are saved
 * or discarded, and all of them when the session ends. Stores nothing without an account or where the browser refuses
 * storage. Never pass a password, a key or a token.
 */
export const formDraftStorage = {
  get(name: string): unknown {
    return tryOrNull(() => JSON.parse(sessionStorage.getItem(storageKeyFor(name) ?? '') ?? 'null') as unknown) ?? null;
  },
  set(name: string, draft: object): void {
    const key = storageKeyFor(name);
    // If storage is full, the draft lasts only as long as the page is open.
    if (key) tryOrNull(() => sessionStorage.setItem(key, JSON.stringify(draft)));
  },
  remove(name: string): void {
    const key = storageKeyFor(name);
    if (key) tryOrNull(() => sessionStorage.removeItem(key));
  },
  /** Deletes all drafts in all tabs, so that the computer's next user finds none. */
  clearAll(): void {
    removeMatching(() => true);
    tryOrNull(() => localStorage.setItem(CLEARED_KEY, String(Date.now())));
  },
  /** Deletes the drafts of other accounts after a different account signs in in this tab. */
  clearOtherAccounts(userId: number): void {
    removeMatching((key) => !key.startsWith(accountPrefix(userId)));
  },
  /** Clears this tab's drafts when another tab clears its own. */
  syncAcrossTabs(): () => void {
    const handleStorage = ({ key }: StorageEvent) => key === CLEARED_KEY && removeMatching(() => true);
    addEventListener('storage', handleStorage);
    return () => removeEventListener('storage', handleStorage);
  },
};

function storageKeyFor(name: string): string | null {
  const accountId = accountHeader.getAccountId();
  return accountId === null ? null : accountPrefix(accountId) + name;
}

function removeMatching(matches: (key: string) => boolean): void {
  tryOrNull(() => {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(KEY_PREFIX) && matches(key));
    keys.forEach((key) => sessionStorage.removeItem(key));
  });
}

function tryOrNull<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
