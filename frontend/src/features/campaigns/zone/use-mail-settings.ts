import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { touch } from '../../../shared/api/touch';
import { inZone } from '../../../shared/api/use-zone';

export type MailSettings = Schema<'MailSettingsDto'>;

const path = '/api/zones/{id}/mail-settings';

/** How the mails of a zone name their sender, and its welcome mail. */
export const useMailSettings = (zoneId: number) => $api.useQuery('get', path, { params: { path: inZone(zoneId) } });

/** Has the link sent by which the reply-to address is confirmed. */
export function useAskReplyTo(zoneId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await api.POST('/api/zones/{id}/mail-settings/reply-to-link', { params: { path: inZone(zoneId) } })).data!,
    onSuccess: (settings) => queries.setQueryData(['get', path, { params: { path: inZone(zoneId) } }], settings),
  });
}

/** Changes what the body names. */
export function useSaveMailSettings(zoneId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'UpdateMailSettingsDto'>) =>
      (await api.PUT(path, { params: { path: inZone(zoneId) }, body })).data!,
    onSuccess: (settings) => {
      queries.setQueryData(['get', path, { params: { path: inZone(zoneId) } }], settings);
      return touch(queries, 'PUT /api/zones/{id}/mail-settings');
    },
  });
}
