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
  get(userId: number, id: number | null): Kept | null {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key(userId, id)) ?? 'null') as Kept | null;
      return kept && { base: kept.base, wording: { ...blank, ...kept.wording } };
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
