import { $api, type Schema } from '../api/client';
import { useCurrentUser } from '../api/current-user';
import { staleTimes } from '../api/query-client';
import { useBillingEnabled } from '../site/use-billing-enabled';

export type SubscriptionStatus = Schema<'SubscriptionStatusDto'>;

export const subscriptionKey = ['get', '/api/subscription-status'] as const;

/** Plan and subscription of whoever is signed in; not asked for while nobody is. */
export function useSubscription() {
  const { data: user } = useCurrentUser();
  const enabled = Boolean(user) && !user?.needsProfileCompletion;
  return $api.useQuery('get', '/api/subscription-status', {}, { enabled, staleTime: staleTimes.zone });
}

/** What may be done about the plan. Known from the user alone until the subscription is. */
export function usePlanAbilities(): { upgrade: boolean; manage: boolean } {
  const { data: user } = useCurrentUser();
  const { data: status } = useSubscription();
  const isBillingEnabled = useBillingEnabled();
  if (status) return status.can;
  const plan = user?.plan ?? 'free';
  return {
    upgrade: isBillingEnabled && Boolean(user) && !user?.isReader && !user?.isSuperAdmin && plan !== 'enterprise',
    manage: isBillingEnabled && plan !== 'free',
  };
}
