import { useFormat } from '../hooks/use-format';
import { useCurrentUser } from '../api/current-user';
import { PlanBadge } from '../public-ui/plan-badge';
import { useBillingEnabled } from '../site/use-billing-enabled';
import { useSubscription } from './use-subscription';

/** The badge of the signed-in person's plan, where plans are offered; it turns orange, with the date, when the subscription will not renew. */
export function CurrentPlanBadge() {
  const { data: user } = useCurrentUser();
  const { data: status } = useSubscription();
  const format = useFormat();
  const isBillingEnabled = useBillingEnabled();
  if (!user || !isBillingEnabled) return null;
  // No plan limits a super admin: “Free” would say the opposite.
  if (user.isSuperAdmin && (status?.plan ?? user.plan) === 'free') return null;
  // A plan that is agreed on outlives the smaller one that was subscribed to.
  const subscription = status?.heldBy === 'agreement' ? null : status?.subscription;
  const { cancelAtPeriodEnd, currentPeriodEnd } = subscription ?? {};
  const endsAt = cancelAtPeriodEnd && currentPeriodEnd ? new Date(currentPeriodEnd * 1000).toISOString() : null;
  return <PlanBadge plan={status?.plan ?? user.plan} endsOn={endsAt ? format.date(endsAt) : undefined} />;
}
