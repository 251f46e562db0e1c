import { useTranslation } from 'react-i18next';
import { useFormat } from '../hooks/use-format';
import { useSubscription } from './use-subscription';

const OVERDUE_STATUSES = ['past_due', 'unpaid', 'incomplete'];

/** Describes a payment problem and its consequences; null if there is none. */
export function usePaymentProblemText(): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: status } = useSubscription();
  if (!status?.subscription) return null;
  const { subscriptionStatus, heldBy, subscription } = status;
  if (subscriptionStatus === 'paused') return t(heldBy ? 'plan.pausedOnly' : 'plan.paused');
  if (!OVERDUE_STATUSES.includes(subscriptionStatus)) return null;
  if (heldBy === 'agreement') return t('plan.owedOnly');
  const pastDueUntil = heldBy === 'subscription' ? subscription.pastDueUntil : null;
  return pastDueUntil ? t('plan.owedUntil', { date: format.date(pastDueUntil) }) : t('plan.owed');
}
