import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../api/api-error';
import { api, type Schema } from '../api/client';
import { useErrorText } from '../hooks/use-error-text';
import { toast } from '../toast/toast-store';
import { leaveFor } from './leave-for';
import { portalVisit } from './portal-visit';
import { useSubscription } from './use-subscription';

type PortalRequest = Schema<'ManageSubscriptionDto'>;

/**
 * Opens the pages on which the subscription is looked after, in a new tab, at the plan that was chosen if one was; a plan
 * by agreement has a contact instead.
 */
export function useManageSubscription() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const contact = useSubscription().data?.contactEmail;
  return useMutation({
    mutationFn: async (request: PortalRequest | void) => {
      const tab = leaveFor.newTab();
      try {
        const { data } = await api.POST('/api/manage-subscription', { body: request ?? {} });
        portalVisit.begin();
        tab.go(data!.url);
      } catch (error) {
        tab.close();
        throw error;
      }
    },
    onError: (error) => {
      const agreed = hasCode(error, 'PLAN_BY_AGREEMENT');
      const text = [errorText(error), ...(agreed && contact ? [contact] : [])].join(' ');
      if (agreed) toast.show({ title: t('plan.byAgreement'), message: text });
      else toast.error(t('plan.manageFailed'), text);
    },
  });
}
