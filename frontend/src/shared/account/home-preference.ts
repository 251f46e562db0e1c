import { useSyncExternalStore } from 'react';
import type { CurrentUser } from '../api/current-user';
import { browserStorage } from '../preferences/browser-storage';

/** What `/` shows first to users who own zones and are also members of other people's zones. */
export type HomePreference = 'reading' | 'creating';

const STORAGE_KEY = 'firstPage';
const listeners = new Set<() => void>();
/** In memory, for browsers that refuse storage. */
let current: HomePreference | null = null;
const readPreference = (): HomePreference =>
  (browserStorage.get(STORAGE_KEY) ?? current) === 'reading' ? 'reading' : 'creating';

export function setHomePreference(preference: HomePreference): void {
  current = preference;
  browserStorage.set(STORAGE_KEY, preference);
  listeners.forEach((listener) => listener());
}

/** The preference stored in this browser. */
export function useHomePreference(): HomePreference {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readPreference);
}

type ZoneCounts = Pick<CurrentUser, 'zoneCount' | 'sharedZoneCount'>;

/** Users without a zone see no plan limits and nothing to manage. */
export const hasNoOwnZones = ({ zoneCount }: Pick<CurrentUser, 'zoneCount'>): boolean => zoneCount === 0;

/** Only users who are both may choose which home page they see first. */
export const isOwnerAndMember = ({ zoneCount, sharedZoneCount }: ZoneCounts): boolean =>
  zoneCount > 0 && sharedZoneCount > 0;

/**
 * Remembers whether `/` was the member home on the last visit. `first-paint.js` uses it to prefetch that page's data
 * before the user is known.
 */
export const memberHomeHint = {
  get: (): boolean => browserStorage.get('reads') === 'true',
  set(isMemberHome: boolean): void {
    if (isMemberHome) browserStorage.set('reads', 'true');
    else browserStorage.remove('reads');
  },
};

/** Whether `/` is the member home instead of the dashboard. */
export function hasMemberHome(
  user: ZoneCounts & Pick<CurrentUser, 'isReader' | 'isOnlyInvited'>,
  preference: HomePreference,
): boolean {
  if (user.isReader || user.isOnlyInvited) return true;
  return user.sharedZoneCount > 0 && (hasNoOwnZones(user) || preference === 'reading');
}

/** Users who only read other people's zones. Plans, limits and texts about own members don't concern them. */
export const isMemberOnly = (user: CurrentUser): boolean => hasNoOwnZones(user) && hasMemberHome(user, 'creating');
