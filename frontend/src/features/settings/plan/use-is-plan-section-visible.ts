import { isMemberOnly } from '../../../shared/account/home-preference';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useSubscription } from '../../../shared/plan/use-subscription';
import { useBillingEnabled } from '../../../shared/site/use-billing-enabled';

/**
 * Whether to show the plan section. Members without own zones, and users of installations without billing, see it only
 * if they have paid before.
 */
export function useIsPlanSectionVisible(): boolean {
  const isBillingEnabled = useBillingEnabled();
  const user = useSignedInUser();
  const { data: status } = useSubscription();
  return (isBillingEnabled && !isMemberOnly(user)) || Boolean(status?.subscription) || Boolean(status?.hasInvoices);
}
