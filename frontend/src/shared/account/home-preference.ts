import { useSyncExternalStore } from 'react';
import type { CurrentUser } from '../api/current-user';
import { browserStorage } from '../preferences/browser-storage';

/** What somebody who has zones of their own and reads in those of others wants to see first. */
export type HomePreference = 'reading' | 'creating';

const STORAGE_KEY = 'firstPage';
const listeners = new Set<() => void>();
/** For a browser that remembers nothing. */
let current: HomePreference | null = null;
const readPreference = (): HomePreference =>
  (browserStorage.get(STORAGE_KEY) ?? current) === 'reading' ? 'reading' : 'creating';

export function setHomePreference(preference: HomePreference): void {
  current = preference;
  browserStorage.set(STORAGE_KEY, preference);
  listeners.forEach((listener) => listener());
}

/** As this browser remembers it. */
export function useHomePreference(): HomePreference {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readPreference);
}

type ZoneCounts = Pick<CurrentUser, 'zoneCount' | 'sharedZoneCount'>;

/** Without a zone there is nothing that a plan would limit, and nothing to look after. */
export const hasNoOwnZones = ({ zoneCount }: Pick<CurrentUser, 'zoneCount'>): boolean => zoneCount === 0;

/** Whoever has both may choose what comes first. */
export const isOwnerAndReader = ({ zoneCount, sharedZoneCount }: ZoneCounts): boolean =>
  zoneCount > 0 && sharedZoneCount > 0;

/**
 * What this browser remembers of the last time: that `/` was the home of a reader. By it the document itself asks for
 * what that page needs (first-paint.js), before it is known who is there.
 */
export const readerHomeHint = {
  get: (): boolean => browserStorage.get('reads') === 'true',
  set(isReaderHome: boolean): void {
    if (isReaderHome) browserStorage.set('reads', 'true');
    else browserStorage.remove('reads');
  },
};

/** Whether `/` is the home of a reader, and not the dashboard. */
export function hasReaderHome(
  user: ZoneCounts & Pick<CurrentUser, 'isReader' | 'isOnlyInvited'>,
  preference: HomePreference,
): boolean {
  if (user.isReader || user.isOnlyInvited) return true;
  return user.sharedZoneCount > 0 && (hasNoOwnZones(user) || preference === 'reading');
}

/** Who has come to read alone: plans, limits and what is told to members of one's own mean nothing to them. */
export const isReaderOnly = (user: CurrentUser): boolean => hasNoOwnZones(user) && hasReaderHome(user, 'creating');
