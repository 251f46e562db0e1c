import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { touches, type Change } from './touches';

/**
 * Lets go of what is not true any more after a change. What is on the screen is asked for anew; all else is forgotten, so
 * that no screen is drawn as it was before, however slow the line is.
 */
export function touch(queries: QueryClient, change: Change): Promise<unknown> {
  const touched = touches[change];
  if (typeof touched === 'string') return Promise.resolve();
  const asked = touched.map((path) => {
    const queryKey = ['get', path];
    queries.removeQueries({ queryKey, predicate: (query) => query.getObserversCount() === 0 });
    return askAnew(queries, queryKey);
  });
  return Promise.all(asked);
}

/** What is asked for the first time meanwhile is asked again too: its answer may be of before the change, and would stay. */
async function askAnew(queries: QueryClient, queryKey: readonly string[]): Promise<void> {
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries({ queryKey });
}

/** `const touched = useTouched(); … onSuccess: () => touched('POST /api/zones')`. */
export function useTouched(): (change: Change) => Promise<unknown> {
  const queries = useQueryClient();
  return useCallback((change) => touch(queries, change), [queries]);
}
