import { $api, type Schema } from '../api/client';
import { useCurrentUser } from '../api/current-user';
import { staleTimes } from '../api/query-client';
import { useBillingEnabled } from '../site/use-billing-enabled';

export type SubscriptionStatus = Schema<'SubscriptionStatusDto'>;

export const subscriptionKey = ['get', '/api/subscription-status'] as const;

/** Plan and subscription of the signed-in user; not fetched while nobody is signed in. */
export function useSubscription() {
  const { data: user } = useCurrentUser();
  const enabled = Boolean(user) && !user?.needsProfileCompletion;
  return $api.useQuery('get', '/api/subscription-status', {}, { enabled, staleTime: staleTimes.zone });
}

/** Which plan actions are available. Derived from the user until the subscription is loaded. */
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
