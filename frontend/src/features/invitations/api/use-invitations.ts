import { useMutation, useQuery } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/pages';
import { useTouched } from '../../../shared/api/touch';
import { inZone } from '../../../shared/api/use-zone';

export type Invitation = Schema<'InvitationDto'>;
export type InviteAnswer = Schema<'InviteAnswerDto'>;

const list = '/api/zones/{id}/invitations';
export const SHOWN = 200;

/** The newest invitations of a zone that nobody has accepted yet. */
export function useInvitations(zoneId: number) {
  return useQuery({
    queryKey: ['get', list, { zoneId }] as const,
    queryFn: async ({ signal }): Promise<ListPage<Invitation>> => {
      const params = { path: inZone(zoneId), query: { limit: SHOWN } };
      const { data, response } = await api.GET(list, { params, signal });
      return toPage(data, response.headers);
    },
  });
}

/** Invites addresses to a zone; the answer tells of each. */
export function useInvite() {
  const touched = useTouched();
  return useMutation({
    mutationFn: async ({ zoneId, emails }: { zoneId: number; emails: string[] }) =>
      (await api.POST('/api/zones/{id}/invite', { params: { path: inZone(zoneId) }, body: { emails } })).data!,
    onSuccess: () => touched('POST /api/zones/{id}/invite'),
  });
}

const changeOf = {
  resend: 'POST /api/zones/{id}/invitations/{invitationId}/resend',
  revoke: 'DELETE /api/zones/{id}/invitations/{invitationId}',
} as const;

/** Sends an invitation again or takes it back. Also when it is gone already the list is asked for anew. */
export function useChangeInvitation(zoneId: number) {
  const touched = useTouched();
  return useMutation({
    mutationFn: async ({ invitationId, change }: { invitationId: number; change: keyof typeof changeOf }) => {
      const params = { path: { ...inZone(zoneId), invitationId } as never };
      if (change === 'resend') await api.POST(`${list}/{invitationId}/resend`, { params });
      else await api.DELETE(`${list}/{invitationId}`, { params });
    },
    onSuccess: (_answer, { change }) => touched(changeOf[change]),
    onError: (error, { change }) => (hasCode(error, 'INVITATION_NOT_FOUND') ? touched(changeOf[change]) : undefined),
  });
}
