import { useMutation } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useTouched } from '../../../shared/api/touch';
import type { Change } from '../../../shared/api/touches';
import { inZone } from '../../../shared/api/use-zone';

export type JoinRequest = Schema<'JoinRequestDto'>;

const list = '/api/zones/{id}/join-requests';

/** Who waits to be let into a zone, the longest waiting first. */
export function useJoinRequests(zoneId: number, { enabled = true } = {}) {
  return $api.useQuery('get', list, { params: { path: inZone(zoneId) } }, { enabled });
}

export type Decision = 'approve' | 'decline' | 'block';

const changeOf: Record<Decision, Change> = {
  approve: 'POST /api/zones/{id}/join-requests/{requestId}/approve',
  decline: 'POST /api/zones/{id}/join-requests/{requestId}/decline',
  block: 'POST /api/zones/{id}/blocks',
};

interface Decided {
  request: JoinRequest;
  decision: Decision;
}

/** Lets somebody in, turns them away, or blocks them. Also when somebody else was faster the list is asked for anew. */
export function useDecideRequest(zoneId: number) {
  const touched = useTouched();
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
    onSuccess: (_answer, { decision }) => touched(changeOf[decision]),
    onError: (error, { decision }) =>
      hasCode(error, 'JOIN_REQUEST_NOT_FOUND') ? touched(changeOf[decision]) : undefined,
  });
}
