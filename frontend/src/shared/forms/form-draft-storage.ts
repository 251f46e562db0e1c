import { accountHeader } from '../account/account-header';

const KEY_PREFIX = 'zonary.words.';
/** Written when words are forgotten, so that the browser's other tabs hear of it. */
const CLEARED_KEY = 'zonary.words-forgotten';

const accountPrefix = (userId: number) => `${KEY_PREFIX}${userId}.`;

/**
 * Words that somebody has typed and that are not at the server yet, kept in this tab over a reload, for each account
 * apart. They go when they are saved or let go, and all of them with the session. A browser that refuses storage is treated
 * as one that remembers nothing; without an account nothing is kept. Never give it a password, a key or a token.
 */
export const formDraftStorage = {
  get(name: string): unknown {
    return tryOrNull(() => JSON.parse(sessionStorage.getItem(storageKeyFor(name) ?? '') ?? 'null') as unknown) ?? null;
  },
  set(name: string, draft: object): void {
    const key = storageKeyFor(name);
    // Where there is no room, they are kept only as long as the page is open.
    if (key) tryOrNull(() => sessionStorage.setItem(key, JSON.stringify(draft)));
  },
  remove(name: string): void {
    const key = storageKeyFor(name);
    if (key) tryOrNull(() => sessionStorage.removeItem(key));
  },
  /** Whoever uses this computer next finds nothing, in any tab. */
  clearAll(): void {
    removeMatching(() => true);
    tryOrNull(() => localStorage.setItem(CLEARED_KEY, String(Date.now())));
  },
  /** Whoever takes the place of somebody else in this tab leaves nothing of them in it. */
  clearOtherAccounts(userId: number): void {
    removeMatching((key) => !key.startsWith(accountPrefix(userId)));
  },
  /** Forgets with the other tabs. */
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
