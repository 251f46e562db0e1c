import type { QueryClient } from '@tanstack/react-query';
import { currentUserKey, currentUserQuery } from './current-user';

const currentUserKeyJson = JSON.stringify(currentUserKey);
const otherQueries = {
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => JSON.stringify(queryKey) !== currentUserKeyJson,
};

/** Loads the user after signing in or completing a profile. Clears everything cached for another user or for none. */
export async function loadNewSession(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries(otherQueries);
  await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
}

/** Signs the same user in again below a page that is still shown, and refetches that page's data. */
export async function resumeSession(queryClient: QueryClient): Promise<void> {
  await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
  void queryClient.invalidateQueries(otherQueries);
}
