import type { QueryClient } from '@tanstack/react-query';
import { currentUserKey, currentUserQuery } from './current-user';

const ownKey = JSON.stringify(currentUserKey);
const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => JSON.stringify(queryKey) !== ownKey };

/**
 * Takes in who is signed in now, after signing in or completing a profile. Whatever was cached for somebody else, or for
 * nobody, is dropped.
 */
export async function enterSession(queries: QueryClient): Promise<void> {
  queries.removeQueries(others);
  await queries.fetchQuery({ ...currentUserQuery, staleTime: 0 });
}

/** The same after a session ended under a page that is still there: what that page shows of the same person is renewed. */
export async function resumeSession(queries: QueryClient): Promise<void> {
  await queries.fetchQuery({ ...currentUserQuery, staleTime: 0 });
  void queries.invalidateQueries(others);
}
