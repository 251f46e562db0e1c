import type { QueryClient } from '@tanstack/react-query';
import { currentUserKey, type CurrentUser } from './current-user';

/**
 * Makes the person the current one after signing in or completing a profile. Whatever was cached for somebody else, or
 * for nobody, is dropped.
 */
export function adoptUser(queries: QueryClient, user: CurrentUser): void {
  const ownKey = JSON.stringify(currentUserKey);
  queries.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey) !== ownKey });
  queries.setQueryData(currentUserKey, user);
}
