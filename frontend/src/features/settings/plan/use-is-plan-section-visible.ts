import { isReaderOnly } from '../../../shared/account/home-preference';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useSubscription } from '../../../shared/plan/use-subscription';
import { useBillingEnabled } from '../../../shared/site/use-billing-enabled';

/** Whether there is a plan to look after: where nothing is sold, and for who only reads, only of whoever has paid before. */
export function useIsPlanSectionVisible(): boolean {
  const isBillingEnabled = useBillingEnabled();
  const user = useSignedInUser();
  const { data: status } = useSubscription();
  return (isBillingEnabled && !isReaderOnly(user)) || Boolean(status?.subscription) || Boolean(status?.hasInvoices);
}
