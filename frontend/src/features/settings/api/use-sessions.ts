import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';

export type Session = Schema<'SessionDto'>;

export const sessionsKey = ['get', '/api/user/sessions'] as const;

/** Where the person is signed in; always asked anew, since others end sessions too. */
export function useSessions() {
  return $api.useQuery('get', '/api/user/sessions', {}, { staleTime: 0 });
}

/** Ends one other session, or all of them but this one; the list follows. */
export function useEndSessions() {
  const queries = useQueryClient();
  const refresh = { onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }) };
  const one = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/sessions/{id}', { params: { path: { id } } }),
    ...refresh,
  });
  const others = useMutation({ mutationFn: () => api.DELETE('/api/user/sessions'), ...refresh });
  return { one, others };
}
