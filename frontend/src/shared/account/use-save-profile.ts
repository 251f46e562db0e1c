import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';
import { api, type Schema } from '../api/client';
import { currentUserKey, type CurrentUser } from '../api/current-user';

/** Saves of the profile, those that wait for an earlier one included. */
export const profileMutation = { mutationKey: ['profile'] } as const;

export type ProfileChanges = Partial<Schema<'UpdateProfileDto'>>;

/**
 * Saves what is given of the signed-in person's profile; the rest stays as it is. The page follows the answer at once.
 * Saves reach the server in the order in which they were asked for, and the answer to the last one is what the page shows:
 * otherwise a slow answer would bring back what somebody has just changed again.
 * @param onError told of a failure, in the form that it has when the failure comes: the language may have changed by then
 */
export function useSaveProfile(onError?: (error: unknown) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    ...profileMutation,
    scope: { id: 'profile' },
    mutationFn: async (changes: ProfileChanges): Promise<CurrentUser> => {
      const { data } = await api.PUT('/api/user/profile', { body: changes });
      if (!data) throw new ApiError(200, 'UNREADABLE', '');
      return data.user;
    },
    onError,
    onSuccess: async (user) => {
      if (queryClient.isMutating(profileMutation) > 1) return;
      // An answer that is on its way may tell what was true before the save, and would be taken for newer.
      const isFetchingUser = queryClient.isFetching({ queryKey: currentUserKey }) > 0;
      if (isFetchingUser) await queryClient.cancelQueries({ queryKey: currentUserKey });
      queryClient.setQueryData(currentUserKey, user);
      if (isFetchingUser) void queryClient.invalidateQueries({ queryKey: currentUserKey });
    },
  });
}
