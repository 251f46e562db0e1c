import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type EmailSettings = Schema<'MailSettingsDto'>;

const path = '/api/zones/{id}/mail-settings';

/** How the mails of a zone name their sender, and its welcome mail. */
export const useEmailSettings = (zoneId: number) =>
  $api.useQuery('get', path, { params: { path: zonePathParams(zoneId) } });

/** Has the link sent by which the reply-to address is confirmed. */
export function useSendReplyToConfirmation(zoneId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await api.POST('/api/zones/{id}/mail-settings/reply-to-link', { params: { path: zonePathParams(zoneId) } }))
        .data!,
    onSuccess: (settings) =>
      queryClient.setQueryData(['get', path, { params: { path: zonePathParams(zoneId) } }], settings),
  });
}

/** Changes what the body names. */
export function useSaveEmailSettings(zoneId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'UpdateMailSettingsDto'>) =>
      (await api.PUT(path, { params: { path: zonePathParams(zoneId) }, body })).data!,
    onSuccess: (settings) => {
      queryClient.setQueryData(['get', path, { params: { path: zonePathParams(zoneId) } }], settings);
      return invalidate(queryClient, 'PUT /api/zones/{id}/mail-settings');
    },
  });
}
