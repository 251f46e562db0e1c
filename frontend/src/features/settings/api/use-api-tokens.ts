import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../shared/api/api-error';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';

export type ApiToken = Schema<'ApiTokenDto'>;
/** With the secret, which only this response contains. */
export type NewApiToken = Schema<'NewApiTokenDto'>;
export type ApiTokenScope = ApiToken['scope'];

/** Loads the user's API tokens, newest first. */
export function useApiTokens() {
  return $api.useQuery('get', '/api/user/tokens');
}

/** Creates and revokes tokens and refetches the list. */
export function useApiTokenMutations() {
  const queryClient = useQueryClient();
  const invalidateOnSettled = { onSettled: () => invalidate(queryClient, 'POST /api/user/tokens') };
  const make = useMutation({
    mutationFn: async (body: Schema<'CreateApiTokenDto'>): Promise<NewApiToken> => {
      const { data } = await api.POST('/api/user/tokens', { body });
      if (!data) throw new ApiError(201, 'UNREADABLE', '');
      return data;
    },
    // The secret is removed from the cache when the dialog that shows it closes.
    gcTime: 0,
    ...invalidateOnSettled,
  });
  const revoke = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/tokens/{id}', { params: { path: { id } } }),
    ...invalidateOnSettled,
  });
  return { make, revoke };
}
