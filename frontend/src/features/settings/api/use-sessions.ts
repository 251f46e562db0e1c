import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';

export type Session = Schema<'SessionDto'>;

/** Loads the user's sessions; always refetched, because other devices end sessions too. */
export function useSessions() {
  return $api.useQuery('get', '/api/user/sessions', {}, { staleTime: 0 });
}

/** Ends one other session, or all except the current one, and refetches the list. */
export function useEndSessions() {
  const queryClient = useQueryClient();
  const invalidateOnSettled = { onSettled: () => invalidate(queryClient, 'DELETE /api/user/sessions') };
  const endSession = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/sessions/{id}', { params: { path: { id } } }),
    ...invalidateOnSettled,
  });
  const endOtherSessions = useMutation({ mutationFn: () => api.DELETE('/api/user/sessions'), ...invalidateOnSettled });
  return { endSession, endOtherSessions };
}
