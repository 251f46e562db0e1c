import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { invalidationMap, type MutationRoute } from './invalidation-map';

/**
 * Invalidates cached queries after a change. Queries on the screen are refetched; all others are removed, so that no
 * screen renders outdated data, even on a slow connection.
 */
export function invalidate(queryClient: QueryClient, change: MutationRoute): Promise<unknown> {
  return forEachInvalidated(queryClient, change, (queryKey) => restartQueries(queryClient, queryKey));
}

/**
 * Does the same for a change that the caller has written to the cache: queries on the screen are requested only when
 * they are shown again. Those in progress are restarted, because their responses may predate the change.
 */
export function markStale(queryClient: QueryClient, change: MutationRoute): Promise<unknown> {
  return forEachInvalidated(queryClient, change, async (queryKey) => {
    const running = new Set(queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }));
    await queryClient.cancelQueries({ queryKey });
    await queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
    await queryClient.refetchQueries({ queryKey, predicate: (query) => running.has(query) });
  });
}

function forEachInvalidated(
  queryClient: QueryClient,
  change: MutationRoute,
  refresh: (queryKey: readonly string[]) => Promise<unknown>,
): Promise<unknown> {
  const invalidation = invalidationMap[change];
  // A string is a reason why nothing is invalidated here.
  if (typeof invalidation === 'string') return Promise.resolve();
  const refreshes = invalidation.map((path) => {
    const queryKey = ['get', path];
    queryClient.removeQueries({ queryKey, predicate: (query) => query.getObserversCount() === 0 });
    return refresh(queryKey);
  });
  return Promise.all(refreshes);
}

/** Restarts first fetches too: their response may predate the change and would otherwise stay in the cache. */
async function restartQueries(queryClient: QueryClient, queryKey: readonly string[]): Promise<void> {
  await queryClient.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await queryClient.invalidateQueries({ queryKey });
}

/** `const invalidate = useInvalidate(); … onSuccess: () => invalidate('POST /api/zones')`. */
export function useInvalidate(): (change: MutationRoute) => Promise<unknown> {
  const queryClient = useQueryClient();
  return useCallback((change) => invalidate(queryClient, change), [queryClient]);
}
