import { useSubscription } from '../../../shared/plan/use-subscription';
import { useSells } from '../../../shared/site/use-sells';

/** Whether there is a plan to look after: where nothing is sold only for whoever has paid before. */
export function useShowsPlan(): boolean {
  const sells = useSells();
  const { data: status } = useSubscription();
  return sells || Boolean(status?.subscription) || Boolean(status?.hasInvoices);
}
