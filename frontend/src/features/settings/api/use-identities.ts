import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';

export type LinkedIdentity = Schema<'LinkedIdentityDto'>;

/** Loads the external identities that the user can sign in with. */
export function useIdentities() {
  return $api.useQuery('get', '/api/user/identities');
}

/** Unlinks an identity and refetches the list. */
export function useUnlinkIdentity() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/identities/{id}', { params: { path: { id } } }),
    onSettled: () => invalidate(queryClient, 'DELETE /api/user/identities/{id}'),
  });
}
