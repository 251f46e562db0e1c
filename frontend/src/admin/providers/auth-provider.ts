import type { QueryClient } from '@tanstack/react-query';
import type { AuthProvider } from 'react-admin';
import { currentUserQuery, isAdmin, type CurrentUser } from '../../shared/api/current-user';
import { nameOf } from '../../shared/format/person';

/**
 * Tells react-admin who is signed in, from what the page knows already. Signing in and out, and what happens when a
 * session ends, are the page's own: a 401 covers it with the login screen, so no error leads react-admin anywhere.
 */
export function createAuthProvider(queries: QueryClient): AuthProvider {
  const someone = async (): Promise<CurrentUser> => {
    const user = await queries.ensureQueryData(currentUserQuery);
    if (!user) throw new Error('Nobody is signed in.');
    return user;
  };
  const nothing = () => Promise.resolve();
  return {
    login: nothing,
    logout: () => Promise.resolve(false),
    checkError: nothing,
    checkAuth: async () => void (await someone()),
    canAccess: async () => isAdmin(await someone()),
    getPermissions: async () => {
      const { role, isSuperAdmin } = await someone();
      return isSuperAdmin ? 'super-admin' : role;
    },
    getIdentity: async () => {
      const user = await someone();
      return { id: user.id, fullName: nameOf(user), avatar: user.profileImageUrl ?? undefined };
    },
  };
}
