import { useMutation, useQueryClient } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { $api, api, type Schema } from '../../../shared/api/client';
import { inZone } from '../../../shared/api/use-zone';

export type JoinRequest = Schema<'JoinRequestDto'>;

const list = '/api/zones/{id}/join-requests';
/** What shows or counts the members of a zone, and those who ask to be. */
const touched = [
  list,
  '/api/zones/{id}/members',
  '/api/members',
  '/api/zones/{id}/blocks',
  '/api/zones/{id}',
  '/api/zones',
  '/api/dashboard/stats',
  '/api/dashboard/activity',
] as const;

/** Who waits to be let into a zone, the longest waiting first. */
export function useJoinRequests(zoneId: number, { enabled = true } = {}) {
  return $api.useQuery('get', list, { params: { path: inZone(zoneId) } }, { enabled });
}

export type Decision = 'approve' | 'decline' | 'block';

interface Decided {
  request: JoinRequest;
  decision: Decision;
}

/** Lets somebody in, turns them away, or blocks them. Also when somebody else was faster the list is asked for anew. */
export function useDecideRequest(zoneId: number) {
  const queries = useQueryClient();
  const refresh = () => Promise.all(touched.map((path) => queries.invalidateQueries({ queryKey: ['get', path] })));
  return useMutation({
    mutationFn: async ({ request: { id: requestId, userId }, decision }: Decided) => {
      if (decision === 'block') {
        await api.POST('/api/zones/{id}/blocks', { params: { path: inZone(zoneId) }, body: { userId } });
        return;
      }
      const params = { path: { ...(inZone(zoneId) as object), requestId } as never };
      if (decision === 'approve') await api.POST(`${list}/{requestId}/approve`, { params });
      else await api.POST(`${list}/{requestId}/decline`, { params });
    },
    onSuccess: refresh,
    onError: (error) => (hasCode(error, 'JOIN_REQUEST_NOT_FOUND') ? refresh() : undefined),
  });
}
