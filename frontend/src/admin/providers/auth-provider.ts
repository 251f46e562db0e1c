import type { QueryClient } from '@tanstack/react-query';
import type { AuthProvider } from 'react-admin';
import { currentUserQuery, isAdmin, type CurrentUser } from '../../shared/api/current-user';
import { displayNameOf } from '../../shared/format/person';

/**
 * Tells react-admin who is signed in, from what the page knows already. Signing in and out, and what happens when a
 * session ends, are the page's own: a 401 covers it with the login screen, so no error leads react-admin anywhere.
 */
export function createAuthProvider(queryClient: QueryClient): AuthProvider {
  const getSignedInUser = async (): Promise<CurrentUser> => {
    const user = await queryClient.ensureQueryData(currentUserQuery);
    if (!user) throw new Error('Nobody is signed in.');
    return user;
  };
  const resolveVoid = () => Promise.resolve();
  return {
    login: resolveVoid,
    logout: () => Promise.resolve(false),
    checkError: resolveVoid,
    checkAuth: async () => void (await getSignedInUser()),
    canAccess: async () => isAdmin(await getSignedInUser()),
    getPermissions: async () => {
      const { role, isSuperAdmin } = await getSignedInUser();
      return isSuperAdmin ? 'super-admin' : role;
    },
    getIdentity: async () => {
      const user = await getSignedInUser();
      return { id: user.id, fullName: displayNameOf(user), avatar: user.profileImageUrl ?? undefined };
    },
  };
}
