import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api, type Schema } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { externalNavigation } from '../../shared/plan/external-navigation';
import { toast } from '../../shared/toast/toast-store';

export type Plan = Schema<'PlanDto'>;
export type BillingInterval = Plan['intervals'][number];

/** Opens the payment page of a plan; signed-out users are asked to sign in first. */
export function useCheckout() {
  const { t } = useTranslation('billing');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { data: user } = useCurrentUser();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ planId, billingInterval }: { planId: Plan['id']; billingInterval: BillingInterval }) => {
      const { data } = await api.POST('/api/create-subscription', { body: { planId, billingInterval } });
      externalNavigation.navigate(data!.url);
      await externalNavigation.waitUntilLeft();
    },
    onError: (error) => toast.error(t('subscriptionError'), errorText(error)),
  });
  const startCheckout = (planId: Plan['id'], billingInterval: BillingInterval) => {
    if (user) return mutate({ planId, billingInterval });
    toast.show({ title: t('authRequired'), message: t('authRequiredText') });
    void navigate(`/auth?mode=login&next=${encodeURIComponent(`/pricing?interval=${billingInterval}`)}`);
  };
  return { startCheckout, pendingPlanId: isPending ? variables?.planId : undefined };
}
