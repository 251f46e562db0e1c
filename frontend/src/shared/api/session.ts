import type { QueryClient } from '@tanstack/react-query';
import { currentUserKey, currentUserQuery } from './current-user';

const currentUserKeyJson = JSON.stringify(currentUserKey);
const otherQueries = {
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => JSON.stringify(queryKey) !== currentUserKeyJson,
};

/**
 * Takes in who is signed in now, after signing in or completing a profile. Whatever was cached for somebody else, or for
 * nobody, is dropped.
 */
export async function loadNewSession(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries(otherQueries);
  await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
}

/** The same after a session ended under a page that is still there: what that page shows of the same person is renewed. */
export async function resumeSession(queryClient: QueryClient): Promise<void> {
  await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
  void queryClient.invalidateQueries(otherQueries);
}
