import type { QueryClient } from '@tanstack/react-query';
import type { AuthProvider } from 'react-admin';
import { currentUserQuery, isAdmin, type CurrentUser } from '../../shared/api/current-user';
import { displayNameOf } from '../../shared/format/person';

/**
 * Tells react-admin who is signed in, from the page's own cache. The page itself handles sign-in, sign-out and expired
 * sessions: a 401 shows the sign-in screen over the page, so react-admin never redirects.
 */
export function createAuthProvider(queryClient: QueryClient): AuthProvider {
  const getSignedInUser = async (): Promise<CurrentUser> => {
    const user = await queryClient.ensureQueryData(currentUserQuery);
    if (!user) throw new Error('No user is signed in.');
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
