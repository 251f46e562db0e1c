import { openedFor } from '../account/opened-for';

const prefix = 'zonary.words.';
/** Written when words are forgotten, so that the browser's other tabs hear of it. */
const forgotten = 'zonary.words-forgotten';

const own = (userId: number) => `${prefix}${userId}.`;

/**
 * Words that somebody has typed and that are not at the server yet, kept in this tab over a reload, for each account
 * apart. They go when they are saved or let go, and all of them with the session. A browser that refuses storage is treated
 * as one that remembers nothing; without an account nothing is kept. Never give it a password, a key or a token.
 */
export const keptWords = {
  get(name: string): unknown {
    return tried(() => JSON.parse(sessionStorage.getItem(keyOf(name) ?? '') ?? 'null') as unknown) ?? null;
  },
  set(name: string, words: object): void {
    const key = keyOf(name);
    // Where there is no room, they are kept only as long as the page is open.
    if (key) tried(() => sessionStorage.setItem(key, JSON.stringify(words)));
  },
  remove(name: string): void {
    const key = keyOf(name);
    if (key) tried(() => sessionStorage.removeItem(key));
  },
  /** Whoever uses this computer next finds nothing, in any tab. */
  forgetAll(): void {
    forgetHere(() => true);
    tried(() => localStorage.setItem(forgotten, String(Date.now())));
  },
  /** Whoever takes the place of somebody else in this tab leaves nothing of them in it. */
  onlyOf(userId: number): void {
    forgetHere((key) => !key.startsWith(own(userId)));
  },
  /** Forgets with the other tabs. */
  heed(): () => void {
    const listen = ({ key }: StorageEvent) => key === forgotten && forgetHere(() => true);
    addEventListener('storage', listen);
    return () => removeEventListener('storage', listen);
  },
};

function keyOf(name: string): string | null {
  const account = openedFor.account();
  return account === null ? null : own(account) + name;
}

function forgetHere(chosen: (key: string) => boolean): void {
  tried(() => {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix) && chosen(key));
    keys.forEach((key) => sessionStorage.removeItem(key));
  });
}

function tried<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
