import { queryOptions, useQuery } from '@tanstack/react-query';
import { useOutletContext } from 'react-router';
import { browserStorage } from '../preferences/browser-storage';
import { api, type Schema } from './client';

export type CurrentUser = Schema<'CurrentUserDto'>;
/** The response to signing in, registering and completing the profile. */
export type SignedInUser = Schema<'SignedInUserDto'>;

export const currentUserKey = ['get', '/api/user'] as const;

const STALE_TIME = 5 * 60_000;
const STORAGE_KEY = 'signedIn';

/** Whether a user was signed in when this browser last knew. Decides what to render until the server has responded. */
export const isLikelySignedIn = (): boolean => browserStorage.get(STORAGE_KEY) === 'true';

/** Stores whether a user is signed in, for the next visit. */
export function setLikelySignedIn(isSignedIn: boolean): void {
  if (isSignedIn) browserStorage.set(STORAGE_KEY, 'true');
  else browserStorage.remove(STORAGE_KEY);
}

/**
 * Returns the signed-in user, or null. The endpoint answers 200 in both cases, because browsers log error responses.
 */
export async function fetchCurrentUser(signal?: AbortSignal): Promise<CurrentUser | null> {
  const { data } = await api.GET('/api/session', { signal });
  return data?.user ?? null;
}

export const currentUserQuery = queryOptions({
  queryKey: currentUserKey,
  queryFn: ({ signal }) => fetchCurrentUser(signal),
  staleTime: STALE_TIME,
  // The layout changes when this fails; refetching for each newly mounted part would loop forever.
  retryOnMount: false,
});

/** The signed-in user as a query: `data` is undefined while unknown and null when nobody is signed in. */
export function useCurrentUser() {
  return useQuery(currentUserQuery);
}

/**
 * The user a signed-in page is rendered for. Unlike the query, it stays when the session expires, until somebody signs
 * in again.
 */
export function useSignedInUser(): CurrentUser {
  return useOutletContext<CurrentUser>();
}

/** Whether the user may open the admin screens. The server checks every request again. */
export const isAdmin = ({ role, isSuperAdmin }: Pick<CurrentUser, 'role' | 'isSuperAdmin'>): boolean =>
  isSuperAdmin || role === 'admin';
