import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { invalidationMap, type MutationRoute } from './invalidation-map';

/**
 * Lets go of what is not true any more after a change. What is on the screen is asked for anew; all else is forgotten, so
 * that no screen is drawn as it was before, however slow the line is.
 */
export function invalidate(queryClient: QueryClient, change: MutationRoute): Promise<unknown> {
  const invalidation = invalidationMap[change];
  if (typeof invalidation === 'string') return Promise.resolve();
  const refetches = invalidation.map((path) => {
    const queryKey = ['get', path];
    queryClient.removeQueries({ queryKey, predicate: (query) => query.getObserversCount() === 0 });
    return restartQueries(queryClient, queryKey);
  });
  return Promise.all(refetches);
}

/** What is asked for the first time meanwhile is asked again too: its answer may be of before the change, and would stay. */
async function restartQueries(queryClient: QueryClient, queryKey: readonly string[]): Promise<void> {
  await queryClient.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await queryClient.invalidateQueries({ queryKey });
}

/** `const touched = useInvalidate(); … onSuccess: () => touched('POST /api/zones')`. */
export function useInvalidate(): (change: MutationRoute) => Promise<unknown> {
  const queryClient = useQueryClient();
  return useCallback((change) => invalidate(queryClient, change), [queryClient]);
}
