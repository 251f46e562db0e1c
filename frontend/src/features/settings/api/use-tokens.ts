import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../shared/api/api-error';
import { $api, api, type Schema } from '../../../shared/api/client';
import { touch } from '../../../shared/api/touch';

export type ApiToken = Schema<'ApiTokenDto'>;
/** With the secret, which is in this answer alone. */
export type NewApiToken = Schema<'NewApiTokenDto'>;
export type Scope = ApiToken['scope'];

/** The person's API tokens, the newest first. */
export function useTokens() {
  return $api.useQuery('get', '/api/user/tokens');
}

/** Makes and revokes tokens; the list follows. */
export function useTokenChanges() {
  const queries = useQueryClient();
  const refresh = { onSettled: () => touch(queries, 'POST /api/user/tokens') };
  const make = useMutation({
    mutationFn: async (body: Schema<'CreateApiTokenDto'>): Promise<NewApiToken> => {
      const { data } = await api.POST('/api/user/tokens', { body });
      if (!data) throw new ApiError(201, 'UNREADABLE', '');
      return data;
    },
    // The secret is not kept any longer than the dialog that shows it.
    gcTime: 0,
    ...refresh,
  });
  const revoke = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/tokens/{id}', { params: { path: { id } } }),
    ...refresh,
  });
  return { make, revoke };
}
