import { useMutation, useQuery } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { useInvalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type Invitation = Schema<'InvitationDto'>;
export type InviteResult = Schema<'InviteAnswerDto'>;

const invitationsPath = '/api/zones/{id}/invitations';
export const INVITATION_LIMIT = 200;

/** Loads the newest open invitations of a zone. */
export function useInvitations(zoneId: number) {
  return useQuery({
    queryKey: ['get', invitationsPath, { zoneId }] as const,
    queryFn: async ({ signal }): Promise<ListPage<Invitation>> => {
      const params = { path: zonePathParams(zoneId), query: { limit: INVITATION_LIMIT } };
      const { data, response } = await api.GET(invitationsPath, { params, signal });
      return toPage(data, response.headers);
    },
  });
}

/** Invites email addresses to a zone; the response contains a result for each. */
export function useInvite() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async ({ zoneId, emails }: { zoneId: number; emails: string[] }) =>
      (await api.POST('/api/zones/{id}/invite', { params: { path: zonePathParams(zoneId) }, body: { emails } })).data!,
    onSuccess: () => invalidate('POST /api/zones/{id}/invite'),
  });
}

const mutationByAction = {
  resend: 'POST /api/zones/{id}/invitations/{invitationId}/resend',
  revoke: 'DELETE /api/zones/{id}/invitations/{invitationId}',
} as const;

/** Resends or revokes an invitation. Refetches the list also on failure, because the invitation may no longer exist. */
export function useChangeInvitation(zoneId: number) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async ({ invitationId, change }: { invitationId: number; change: keyof typeof mutationByAction }) => {
      const params = { path: { ...zonePathParams(zoneId), invitationId } as never };
      if (change === 'resend') await api.POST(`${invitationsPath}/{invitationId}/resend`, { params });
      else await api.DELETE(`${invitationsPath}/{invitationId}`, { params });
    },
    onSuccess: (_answer, { change }) => invalidate(mutationByAction[change]),
    onError: (error, { change }) =>
      hasCode(error, 'INVITATION_NOT_FOUND') ? invalidate(mutationByAction[change]) : undefined,
  });
}
