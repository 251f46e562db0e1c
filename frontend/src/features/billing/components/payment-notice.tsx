import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { usePaymentProblemText } from '../../../shared/plan/use-payment-text';
import { useManageSubscription } from '../../../shared/plan/use-manage-subscription';
import { useSubscription } from '../../../shared/plan/use-subscription';

/** Tells subscribers about an overdue payment or the end of their plan. */
export function PaymentNotice() {
  const { t } = useTranslation('billing');
  const overdueText = usePaymentProblemText();
  const cancellationText = useCancellationText();
  const manage = useManageSubscription();
  const text = overdueText ?? cancellationText;
  if (text === null) return null;
  return (
    <div className={`z-notice z-pricing-notice ${overdueText === null ? 'z-notice-warning' : 'z-notice-danger'}`}>
      <p>{text}</p>
      <button type="button" className="z-button" disabled={manage.isPending} onClick={() => manage.mutate()}>
        {t('manage')}
      </button>
    </div>
  );
}

function useCancellationText(): string | null {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const { data: status } = useSubscription();
  const { cancelAtPeriodEnd, currentPeriodEnd } = status?.subscription ?? {};
  if (status?.heldBy !== 'subscription' || !cancelAtPeriodEnd || !currentPeriodEnd) return null;
  const date = format.date(new Date(currentPeriodEnd * 1000).toISOString());
  return t('ends', { plan: t(`names.${status.plan}`), date });
}
