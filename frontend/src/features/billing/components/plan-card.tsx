import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDecimal } from '../../../shared/format/number';
import { useLanguage } from '../../../shared/hooks/use-format';
import { useManageSubscription } from '../../../shared/plan/use-manage-subscription';
import { toast } from '../../../shared/toast/toast-store';
import type { BillingInterval, Plan } from '../use-checkout';
import { PlanFeatures } from './plan-features';

interface Props {
  plan: Plan;
  sharedFeatures: Plan['features'];
  interval: BillingInterval;
  /** Plan of the signed-in user; null if nobody is signed in. */
  currentPlan: string | null;
  canBuy: boolean;
  /** Super admins don't buy plans; they are granted. */
  isSuperAdmin: boolean;
  /** The user has an active subscription: plans are changed in the billing portal. */
  hasSubscription: boolean;
  /** Billing interval of the current plan; null or undefined if it isn't paid for. */
  paidInterval?: BillingInterval | null;
  busy: boolean;
  onChoose: () => void;
}

const plansWithHint = ['creator', 'pro-creator'] as const;
const plansWithDescription = ['free', 'starter'] as const;

/** A price in dollars: "$3.99", "$0" and "3,99 $", "0 $". */
function usePriceText(cents: number | null): string | null {
  const { t } = useTranslation('billing');
  const language = useLanguage();
  return cents === null
    ? null
    : t('price', { amount: formatDecimal(cents / 100, cents % 100 === 0 ? 0 : 2, language) });
}

/** A plan with its price and its one action. */
export function PlanCard(props: Props) {
  const { plan, sharedFeatures, interval, currentPlan, paidInterval } = props;
  const { t } = useTranslation('billing');
  const price = usePriceText(interval === 'monthly' ? plan.monthlyPrice : plan.yearlyPrice);
  const hintKey = plansWithHint.find((planId) => planId === plan.id);
  const descriptionKey = plansWithDescription.find((planId) => planId === plan.id);
  const isCurrent = currentPlan === plan.id;
  return (
    <li className={`z-card z-plan ${plan.popular ? 'z-plan-popular' : ''}`}>
      <div className="z-plan-head">
        <h2>{t(`names.${plan.id}`)}</h2>
        {isCurrent && (
          <span className="z-badge z-badge-success">
            {t(paidInterval ? `currentBilled.${paidInterval}` : 'current')}
          </span>
        )}
        {!isCurrent && plan.popular && <span className="z-badge z-badge-accent">{t('popular')}</span>}
      </div>
      <p className="z-plan-price">
        <strong>{price}</strong> <span className="z-second">{t(`per.${plan.id === 'free' ? 'ever' : interval}`)}</span>
      </p>
      <p className="z-second z-plan-hint">
        {hintKey && t(`hints.${hintKey}`)}
        {descriptionKey && t(`about.${descriptionKey}`)}
      </p>
      <PlanAction {...props} isCurrent={isCurrent} />
      <PlanFeatures plan={plan} sharedFeatures={sharedFeatures} />
    </li>
  );
}

function PlanAction({
  plan,
  interval,
  currentPlan,
  canBuy,
  isSuperAdmin,
  hasSubscription,
  paidInterval,
  busy,
  isCurrent,
  onChoose,
}: Props & { isCurrent: boolean }) {
  const { t } = useTranslation('billing');
  const manage = useManageSubscription();
  const primaryClass = plan.popular ? 'z-button-main' : '';
  const name = t(`names.${plan.id}`);
  if (plan.id === 'free' && currentPlan === null) {
    return (
      <Link to="/auth?mode=register" className="z-button z-button-wide">
        {t('start')}
      </Link>
    );
  }
  if (plan.id === 'free' && isCurrent) {
    const showAlreadyFree = () => toast.show({ title: t('alreadyFree'), message: t('alreadyFreeText') });
    return (
      <button type="button" className="z-button z-button-wide" onClick={showAlreadyFree}>
        {t('current')}
      </button>
    );
  }
  if (hasSubscription || isCurrent) {
    const canSwitchInterval =
      isCurrent && Boolean(paidInterval) && paidInterval !== interval && plan.intervals.includes(interval);
    const isChange = !isCurrent || canSwitchInterval;
    const change = { planId: plan.id as 'free' | 'starter', billingInterval: interval };
    return (
      <button
        type="button"
        className="z-button z-button-wide"
        disabled={manage.isPending}
        onClick={() => manage.mutate(isChange ? change : undefined)}
        aria-label={isCurrent ? undefined : t('changeTo', { plan: name })}
      >
        {canSwitchInterval ? t(`switchTo.${interval}`) : isCurrent ? t('manage') : t('change')}
      </button>
    );
  }
  if (plan.id === 'free' || !canBuy) {
    const reason = isSuperAdmin && plan.id !== 'free' ? t('notForAdmins') : t('included');
    return <p className="z-plan-included z-second">{reason}</p>;
  }
  // The page says above that nothing is sold.
  if (plan.intervals.length === 0) return null;
  const isAvailable = plan.intervals.includes(interval);
  return (
    <button
      type="button"
      className={`z-button z-button-wide ${primaryClass}`}
      disabled={!isAvailable || busy}
      onClick={onChoose}
      aria-label={isAvailable && !busy ? t('chooseNamed', { plan: name }) : undefined}
    >
      {isAvailable ? t(busy ? 'opening' : 'choose') : t('unavailable')}
    </button>
  );
}
