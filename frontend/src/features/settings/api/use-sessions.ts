import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';

export type Session = Schema<'SessionDto'>;

/** Where the person is signed in; always asked anew, since others end sessions too. */
export function useSessions() {
  return $api.useQuery('get', '/api/user/sessions', {}, { staleTime: 0 });
}

/** Ends one other session, or all of them but this one; the list follows. */
export function useEndSessions() {
  const queryClient = useQueryClient();
  const invalidateOnSettled = { onSettled: () => invalidate(queryClient, 'DELETE /api/user/sessions') };
  const one = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/sessions/{id}', { params: { path: { id } } }),
    ...invalidateOnSettled,
  });
  const others = useMutation({ mutationFn: () => api.DELETE('/api/user/sessions'), ...invalidateOnSettled });
  return { one, others };
}
