import { queryOptions, useQuery } from '@tanstack/react-query';
import { useOutletContext } from 'react-router';
import { browserStorage } from '../preferences/browser-storage';
import { api, type Schema } from './client';

export type CurrentUser = Schema<'CurrentUserDto'>;
/** What signing in, registering and completing the profile answer. */
export type SignedInUser = Schema<'SignedInUserDto'>;

export const currentUserKey = ['get', '/api/user'] as const;

const STALE_TIME = 5 * 60_000;
const STORAGE_KEY = 'signedIn';

/** Whether somebody was signed in when this browser last knew: what to draw until the server has answered. */
export const isLikelySignedIn = (): boolean => browserStorage.get(STORAGE_KEY) === 'true';

/** Keeps for the next time whether somebody is signed in. */
export function setLikelySignedIn(isSignedIn: boolean): void {
  if (isSignedIn) browserStorage.set(STORAGE_KEY, 'true');
  else browserStorage.remove(STORAGE_KEY);
}

/** Who is signed in; null when nobody is. This is no refusal, which a browser would note as an error. */
export async function fetchCurrentUser(signal?: AbortSignal): Promise<CurrentUser | null> {
  const { data } = await api.GET('/api/session', { signal });
  return data?.user ?? null;
}

export const currentUserQuery = queryOptions({
  queryKey: currentUserKey,
  queryFn: ({ signal }) => fetchCurrentUser(signal),
  staleTime: STALE_TIME,
  // The page swaps its frame when this fails; asking again for each newly shown part would then never end.
  retryOnMount: false,
});

/** The signed-in person as a query: `data` is undefined while unknown, null when nobody is signed in. */
export function useCurrentUser() {
  return useQuery(currentUserQuery);
}

/**
 * The person for whom a signed-in page is shown. Unlike the query it stays when the session ends under the page, until
 * somebody has signed in again.
 */
export function useSignedInUser(): CurrentUser {
  return useOutletContext<CurrentUser>();
}

/** Whether somebody may open the admin screens. The server decides for itself at every call. */
export const isAdmin = ({ role, isSuperAdmin }: Pick<CurrentUser, 'role' | 'isSuperAdmin'>): boolean =>
  isSuperAdmin || role === 'admin';
