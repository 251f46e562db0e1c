import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';
import { api, type Schema } from '../api/client';
import { currentUserKey, type CurrentUser } from '../api/current-user';

export type ProfileChanges = Partial<Schema<'UpdateProfileDto'>>;

/**
 * Saves what is given of the signed-in person's profile; the rest stays as it is. The page follows the answer at once.
 * @param onError told of a failure, in the form that it has when the failure comes: the language may have changed by then
 */
export function useSaveProfile(onError?: (error: unknown) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (changes: ProfileChanges): Promise<CurrentUser> => {
      const user = queries.getQueryData<CurrentUser | null>(currentUserKey);
      // The call always wants the names.
      const names = { firstName: user?.firstName ?? '', lastName: user?.lastName ?? '.' };
      const { data } = await api.PUT('/api/user/profile', { body: { ...names, ...changes } });
      if (!data) throw new ApiError(200, 'UNREADABLE', '');
      return data.user;
    },
    onError,
    onSuccess: (user) => queries.setQueryData(currentUserKey, user),
  });
}
