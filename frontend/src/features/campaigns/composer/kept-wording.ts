import { blank, type Wording } from './wording';

interface Kept {
  wording: Wording;
  /** When the draft that was changed had been saved; null for a new one. */
  base: string | null;
}

const key = (userId: number, id: number | null) => `zonary.campaign.${userId}.${id ?? 'new'}`;

/**
 * What has been written and is not at the server yet, kept in this tab over a reload. A browser that refuses storage is
 * treated as one that remembers nothing.
 */
export const keptWording = {
  /** @param base when the draft at the server was saved; what was written on top of another state is not given */
  get(userId: number, id: number | null, base: string | null): Wording | null {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key(userId, id)) ?? 'null') as Kept | null;
      return kept && kept.base === base ? { ...blank, ...kept.wording } : null;
    } catch {
      return null;
    }
  },
  set(userId: number, id: number | null, kept: Kept): void {
    try {
      sessionStorage.setItem(key(userId, id), JSON.stringify(kept));
    } catch {
      // It is then kept only as long as the page is open.
    }
  },
  remove(userId: number, id: number | null): void {
    try {
      sessionStorage.removeItem(key(userId, id));
    } catch {
      // Nothing was stored, so nothing is left behind.
    }
  },
};
