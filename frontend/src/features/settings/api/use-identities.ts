import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { touch } from '../../../shared/api/touch';

export type LinkedIdentity = Schema<'LinkedIdentityDto'>;

/** The identities of a provider by which the person may sign in. */
export function useIdentities() {
  return $api.useQuery('get', '/api/user/identities');
}

/** Disconnects one; the list follows. */
export function useUnlinkIdentity() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/identities/{id}', { params: { path: { id } } }),
    onSettled: () => touch(queries, 'DELETE /api/user/identities/{id}'),
  });
}
