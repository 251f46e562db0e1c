import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../api/api-error';
import { api, type Schema } from '../api/client';
import { useErrorText } from '../hooks/use-error-text';
import { toast } from '../toast/toast-store';
import { externalNavigation } from './external-navigation';
import { portalVisit } from './portal-visit';
import { useSubscription } from './use-subscription';

type PortalRequest = Schema<'ManageSubscriptionDto'>;

/**
 * Opens the payment provider's portal in a new tab, at the chosen plan if there is one. Plans by agreement show a
 * contact instead.
 */
export function useManageSubscription() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const contactEmail = useSubscription().data?.contactEmail;
  return useMutation({
    mutationFn: async (request: PortalRequest | void) => {
      const tab = externalNavigation.openTab();
      try {
        const { data } = await api.POST('/api/manage-subscription', { body: request ?? {} });
        portalVisit.start();
        tab.navigate(data!.url);
      } catch (error) {
        tab.close();
        throw error;
      }
    },
    onError: (error) => {
      const isByAgreement = hasCode(error, 'PLAN_BY_AGREEMENT');
      const text = [errorText(error), ...(isByAgreement && contactEmail ? [contactEmail] : [])].join(' ');
      if (isByAgreement) toast.show({ title: t('plan.byAgreement'), message: text });
      else toast.error(t('plan.manageFailed'), text);
    },
  });
}
