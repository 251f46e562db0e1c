import { onlyReads } from '../../../shared/account/first-page';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useSubscription } from '../../../shared/plan/use-subscription';
import { useSells } from '../../../shared/site/use-sells';

/** Whether there is a plan to look after: where nothing is sold, and for who only reads, only of whoever has paid before. */
export function useShowsPlan(): boolean {
  const sells = useSells();
  const user = useSignedInUser();
  const { data: status } = useSubscription();
  return (sells && !onlyReads(user)) || Boolean(status?.subscription) || Boolean(status?.hasInvoices);
}
