import { useFormat } from '../hooks/use-format';
import { useCurrentUser } from '../api/current-user';
import { PlanBadge } from '../public-ui/plan-badge';
import { useBillingEnabled } from '../site/use-billing-enabled';
import { useSubscription } from './use-subscription';

/**
 * Badge of the user's plan, where plans are offered. It turns orange, with the date, if the subscription will not
 * renew.
 */
export function CurrentPlanBadge() {
  const { data: user } = useCurrentUser();
  const { data: status } = useSubscription();
  const format = useFormat();
  const isBillingEnabled = useBillingEnabled();
  if (!user || !isBillingEnabled) return null;
  // Super admins have no plan limits, so "Free" would be misleading.
  if (user.isSuperAdmin && (status?.plan ?? user.plan) === 'free') return null;
  // A plan by agreement outlives the smaller subscription below it.
  const subscription = status?.heldBy === 'agreement' ? null : status?.subscription;
  const { cancelAtPeriodEnd, currentPeriodEnd } = subscription ?? {};
  const endsAt = cancelAtPeriodEnd && currentPeriodEnd ? new Date(currentPeriodEnd * 1000).toISOString() : null;
  return <PlanBadge plan={status?.plan ?? user.plan} endsOn={endsAt ? format.date(endsAt) : undefined} />;
}
