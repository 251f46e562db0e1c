import { useMutation } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import type { MutationRoute } from '../../../shared/api/invalidation-map';
import { zonePathParams } from '../../../shared/api/use-zone';

export type JoinRequest = Schema<'JoinRequestDto'>;

const LIST_PATH = '/api/zones/{id}/join-requests';

/** Loads the join requests of a zone, oldest first. */
export function useJoinRequests(zoneId: number, { enabled = true } = {}) {
  return $api.useQuery('get', LIST_PATH, { params: { path: zonePathParams(zoneId) } }, { enabled });
}

export type Decision = 'approve' | 'decline' | 'block';

const operationByDecision: Record<Decision, MutationRoute> = {
  approve: 'POST /api/zones/{id}/join-requests/{requestId}/approve',
  decline: 'POST /api/zones/{id}/join-requests/{requestId}/decline',
  block: 'POST /api/zones/{id}/blocks',
};

interface DecisionInput {
  request: JoinRequest;
  decision: Decision;
}

/**
 * Approves or declines a join request, or blocks the person. Refetches the list also on failure, because someone else
 * may have decided first.
 */
export function useDecideJoinRequest(zoneId: number) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async ({ request: { id: requestId, userId }, decision }: DecisionInput) => {
      if (decision === 'block') {
        await api.POST('/api/zones/{id}/blocks', { params: { path: zonePathParams(zoneId) }, body: { userId } });
        return;
      }
      const params = { path: { ...(zonePathParams(zoneId) as object), requestId } as never };
      if (decision === 'approve') await api.POST(`${LIST_PATH}/{requestId}/approve`, { params });
      else await api.POST(`${LIST_PATH}/{requestId}/decline`, { params });
    },
    onSuccess: (_answer, { decision }) => invalidate(operationByDecision[decision]),
    onError: (error, { decision }) =>
      hasCode(error, 'JOIN_REQUEST_NOT_FOUND') ? invalidate(operationByDecision[decision]) : undefined,
  });
}
