import { useTranslation } from 'react-i18next';
import { useFormat } from '../hooks/use-format';
import { useSubscription } from './use-subscription';

const owed = ['past_due', 'unpaid', 'incomplete'];

/** What is wrong with the payment of the subscription and what follows from it; null when all is well. */
export function usePaymentText(): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: status } = useSubscription();
  if (!status?.subscription) return null;
  const { subscriptionStatus, heldBy, subscription } = status;
  if (subscriptionStatus === 'paused') return t(heldBy ? 'plan.pausedOnly' : 'plan.paused');
  if (!owed.includes(subscriptionStatus)) return null;
  if (heldBy === 'agreement') return t('plan.owedOnly');
  const until = heldBy === 'subscription' ? subscription.pastDueUntil : null;
  return until ? t('plan.owedUntil', { date: format.date(until) }) : t('plan.owed');
}
