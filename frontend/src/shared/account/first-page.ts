import { useSyncExternalStore } from 'react';
import type { CurrentUser } from '../api/current-user';
import { stored } from '../preferences/stored';

/** What somebody who has zones of their own and reads in those of others wants to see first. */
export type FirstPage = 'reading' | 'creating';

const name = 'firstPage';
const listeners = new Set<() => void>();
/** For a browser that remembers nothing. */
let current: FirstPage | null = null;
const chosen = (): FirstPage => ((stored.get(name) ?? current) === 'reading' ? 'reading' : 'creating');

export function chooseFirstPage(page: FirstPage): void {
  current = page;
  stored.set(name, page);
  listeners.forEach((listener) => listener());
}

/** As this browser remembers it. */
export function useFirstPage(): FirstPage {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
}

type Zones = Pick<CurrentUser, 'zoneCount' | 'sharedZoneCount'>;

/** Without a zone there is nothing that a plan would limit, and nothing to look after. */
export const ownsNothing = ({ zoneCount }: Pick<CurrentUser, 'zoneCount'>): boolean => zoneCount === 0;

/** Whoever has both may choose what comes first. */
export const hasBoth = ({ zoneCount, sharedZoneCount }: Zones): boolean => zoneCount > 0 && sharedZoneCount > 0;

/**
 * What this browser remembers of the last time: that `/` was the home of a reader. By it the document itself asks for
 * what that page needs (first-paint.js), before it is known who is there.
 */
export const reads = {
  remembered: (): boolean => stored.get('reads') === 'true',
  remember(reading: boolean): void {
    if (reading) stored.set('reads', 'true');
    else stored.remove('reads');
  },
};

/** Whether `/` is the home of a reader, and not the dashboard. */
export function readsFirst(user: Zones & Pick<CurrentUser, 'isReader' | 'isOnlyInvited'>, page: FirstPage): boolean {
  if (user.isReader || user.isOnlyInvited) return true;
  return user.sharedZoneCount > 0 && (ownsNothing(user) || page === 'reading');
}

/** Who has come to read alone: plans, limits and what is told to members of one's own mean nothing to them. */
export const onlyReads = (user: CurrentUser): boolean => ownsNothing(user) && readsFirst(user, 'creating');
