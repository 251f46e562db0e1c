import { useMutation, useQueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../api/client';
import { usageKey } from '../api/query-client';
import { subscriptionKey } from '../plan/use-subscription';
import { setAppName } from '../site/app-name';
import { setBillingEnabled } from '../site/use-billing-enabled';
import { refetchSite } from '../site/use-site';

/** The installation's settings, as super admins see them. */
export const useInstallation = (enabled = true) =>
  $api.useQuery('get', '/api/admin/installation', {}, { staleTime: 0, enabled });

/** Saves some settings and replaces the cached ones with the response. */
export function useSaveInstallation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'ChangeInstallationDto'>) => {
      const { data } = await api.PATCH('/api/admin/installation', { body });
      return data!;
    },
    onSuccess: (state) => {
      queryClient.setQueryData($api.queryOptions('get', '/api/admin/installation', {}).queryKey, state);
      setBillingEnabled(
        queryClient,
        state.settings.every(({ key, value }) => key !== 'purpose' || value !== 'own'),
      );
      const name = state.settings.find(({ key }) => key === 'name')?.value;
      if (name) setAppName(name);
      void refetchSite(queryClient);
      for (const queryKey of [subscriptionKey, usageKey]) void queryClient.invalidateQueries({ queryKey });
      // The DNS records depend on the sender's domain.
      void queryClient.invalidateQueries($api.queryOptions('get', '/api/admin/installation/dns', {}));
    },
  });
}
