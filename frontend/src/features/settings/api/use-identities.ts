import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';

export type LinkedIdentity = Schema<'LinkedIdentityDto'>;

/** The identities of a provider by which the person may sign in. */
export function useIdentities() {
  return $api.useQuery('get', '/api/user/identities');
}

/** Disconnects one; the list follows. */
export function useUnlinkIdentity() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/identities/{id}', { params: { path: { id } } }),
    onSettled: () => invalidate(queryClient, 'DELETE /api/user/identities/{id}'),
  });
}
