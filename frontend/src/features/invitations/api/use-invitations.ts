import { useMutation, useQueryClient } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { $api, api, type Schema } from '../../../shared/api/client';
import { inZone } from '../../../shared/api/use-zone';

export type Invitation = Schema<'InvitationDto'>;
export type InviteAnswer = Schema<'InviteAnswerDto'>;

const list = '/api/zones/{id}/invitations';
export const SHOWN = 200;

/** The newest invitations of a zone that nobody has accepted yet. */
export function useInvitations(zoneId: number) {
  return $api.useQuery('get', list, { params: { path: inZone(zoneId), query: { limit: SHOWN } } });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['get', list] });
}

/** Invites addresses to a zone; the answer tells of each. */
export function useInvite() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ zoneId, emails }: { zoneId: number; emails: string[] }) =>
      (await api.POST('/api/zones/{id}/invite', { params: { path: inZone(zoneId) }, body: { emails } })).data!,
    onSuccess: refresh,
  });
}

/** Sends an invitation again or takes it back. Also when it is gone already the list is asked for anew. */
export function useChangeInvitation(zoneId: number) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ invitationId, change }: { invitationId: number; change: 'resend' | 'revoke' }) => {
      const params = { path: { ...inZone(zoneId), invitationId } as never };
      if (change === 'resend') await api.POST(`${list}/{invitationId}/resend`, { params });
      else await api.DELETE(`${list}/{invitationId}`, { params });
    },
    onSuccess: refresh,
    onError: (error) => (hasCode(error, 'INVITATION_NOT_FOUND') ? refresh() : undefined),
  });
}
