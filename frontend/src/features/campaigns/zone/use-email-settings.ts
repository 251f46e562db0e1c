import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type EmailSettings = Schema<'MailSettingsDto'>;

const path = '/api/zones/{id}/mail-settings';

/** Loads a zone's sender settings and its welcome email. */
export const useEmailSettings = (zoneId: number) =>
  $api.useQuery('get', path, { params: { path: zonePathParams(zoneId) } });

/** Sends the link that confirms the reply-to address. */
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

/** Updates the settings given in the body. */
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
