import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, hasCode } from './api-error';
import { clearPrefetchCache } from './prefetch-cache';
import { currentUserKey, type CurrentUser } from './current-user';

/** The usage shown in the sidebar. */
export const usageKey = ['get', '/api/user/usage'];

/** In milliseconds. */
export const staleTimes = {
  standard: 30_000,
  files: 30_000,
  zone: 5 * 60_000,
  allFolders: 60_000,
  mirrors: 5_000,
} as const;

/**
 * Creates the page's query client: no retries, no refetch on focus (but see `useRefreshPlanOnReturn`), no polling. When
 * a response shows that the session has expired, or that the profile or a second factor is missing, the cached user is
 * updated and the page follows.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) client.setQueryData(currentUserKey, null);
    if (hasCode(error, 'PROFILE_INCOMPLETE')) client.setQueryData(currentUserKey, markProfileIncomplete);
    if (hasCode(error, 'FACTOR_NEEDED')) client.setQueryData(currentUserKey, markFactorNeeded);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: staleTimes.standard,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'invalidate') clearPrefetchCache();
  });
  return client;
}

function markProfileIncomplete(user: CurrentUser | null | undefined): CurrentUser | null | undefined {
  // Users with an incomplete profile may continue reading; a dialog tells them what needs a complete profile.
  return user && !user.isReader ? { ...user, needsProfileCompletion: true } : user;
}

function markFactorNeeded(user: CurrentUser | null | undefined): CurrentUser | null | undefined {
  return user && { ...user, factorNeeded: true };
}
