import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api, type Schema } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { leaveFor } from '../../shared/plan/leave-for';
import { toast } from '../../shared/toast/toast-store';

export type Plan = Schema<'PlanDto'>;
export type Interval = Plan['intervals'][number];

/** Goes to the page on which a plan is paid for; whoever is not signed in is asked to sign in first. */
export function useCheckout() {
  const { t } = useTranslation('billing');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { data: user } = useCurrentUser();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ planId, billingInterval }: { planId: Plan['id']; billingInterval: Interval }) => {
      const { data } = await api.POST('/api/create-subscription', { body: { planId, billingInterval } });
      leaveFor.page(data!.url);
      await leaveFor.away();
    },
    onError: (error) => toast.error(t('subscriptionError'), errorText(error)),
  });
  const choose = (planId: Plan['id'], billingInterval: Interval) => {
    if (user) return mutate({ planId, billingInterval });
    toast.show({ title: t('authRequired'), message: t('authRequiredText') });
    void navigate(`/auth?mode=login&next=${encodeURIComponent(`/pricing?interval=${billingInterval}`)}`);
  };
  return { choose, busyWith: isPending ? variables?.planId : undefined };
}
