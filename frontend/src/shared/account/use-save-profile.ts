import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';
import { api, type Schema } from '../api/client';
import { currentUserKey, type CurrentUser } from '../api/current-user';

/** Covers all saves of the profile, including those queued behind an earlier one. */
export const profileMutation = { mutationKey: ['profile'] } as const;

export type ProfileChanges = Partial<Schema<'UpdateProfileDto'>>;

/**
 * Saves the given fields of the signed-in user's profile. The page shows the response at once. Saves reach the server
 * in the order they were requested, and the page shows the response to the last one; otherwise a slow response would
 * undo a newer change.
 * @param onError called with the current callback when a save fails, because the language may have changed by then
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
      // A response in flight may predate the save and would overwrite it.
      const isFetchingUser = queryClient.isFetching({ queryKey: currentUserKey }) > 0;
      if (isFetchingUser) await queryClient.cancelQueries({ queryKey: currentUserKey });
      queryClient.setQueryData(currentUserKey, user);
      if (isFetchingUser) void queryClient.invalidateQueries({ queryKey: currentUserKey });
    },
  });
}
