import type { QueryClient } from '@tanstack/react-query';
import { currentUserKey, currentUserQuery } from './current-user';

/**
 * Takes in who is signed in now, after signing in or completing a profile. Whatever was cached for somebody else, or for
 * nobody, is dropped.
 */
export async function enterSession(queries: QueryClient): Promise<void> {
  const ownKey = JSON.stringify(currentUserKey);
  queries.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey) !== ownKey });
  await queries.fetchQuery({ ...currentUserQuery, staleTime: 0 });
}
