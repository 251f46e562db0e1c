import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../shared/api/api-error';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';

export type ApiToken = Schema<'ApiTokenDto'>;
/** With the secret, which is in this answer alone. */
export type NewApiToken = Schema<'NewApiTokenDto'>;
export type ApiTokenScope = ApiToken['scope'];

/** The person's API tokens, the newest first. */
export function useApiTokens() {
  return $api.useQuery('get', '/api/user/tokens');
}

/** Makes and revokes tokens; the list follows. */
export function useApiTokenMutations() {
  const queryClient = useQueryClient();
  const invalidateOnSettled = { onSettled: () => invalidate(queryClient, 'POST /api/user/tokens') };
  const make = useMutation({
    mutationFn: async (body: Schema<'CreateApiTokenDto'>): Promise<NewApiToken> => {
      const { data } = await api.POST('/api/user/tokens', { body });
      if (!data) throw new ApiError(201, 'UNREADABLE', '');
      return data;
    },
    // The secret is not kept any longer than the dialog that shows it.
    gcTime: 0,
    ...invalidateOnSettled,
  });
  const revoke = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/tokens/{id}', { params: { path: { id } } }),
    ...invalidateOnSettled,
  });
  return { make, revoke };
}
