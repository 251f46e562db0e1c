import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useManageSubscription } from '../../../shared/plan/use-manage-subscription';
import { toast } from '../../../shared/toast/toast-store';
import type { Interval, Plan } from '../use-checkout';
import { PlanLines } from './plan-lines';

interface Props {
  plan: Plan;
  interval: Interval;
  /** The plan of whoever is signed in; null when nobody is. */
  present: string | null;
  mayBuy: boolean;
  /** Super admins are granted plans. */
  superAdmin: boolean;
  /** A subscription is live: plans are changed in its portal. */
  subscribed: boolean;
  /** In which interval the present plan is paid for; nothing for one that is not. */
  paidInterval?: Interval | null;
  busy: boolean;
  onChoose: () => void;
}

const hinted = ['creator', 'pro-creator'] as const;
const described = ['free', 'starter'] as const;

/** One plan with its price and the one thing to do about it. */
export function PlanCard(props: Props) {
  const { plan, interval, present, paidInterval } = props;
  const { t } = useTranslation('billing');
  const price = interval === 'monthly' ? plan.monthlyPriceText : plan.yearlyPriceText;
  const hint = hinted.find((one) => one === plan.id);
  const about = described.find((one) => one === plan.id);
  const isPresent = present === plan.id;
  return (
    <li className={`z-card z-plan ${plan.popular ? 'z-plan-popular' : ''}`}>
      <div className="z-plan-head">
        <h2>{t(`names.${plan.id}`)}</h2>
        {isPresent && (
          <span className="z-badge z-badge-success">
            {t(paidInterval ? `currentBilled.${paidInterval}` : 'current')}
          </span>
        )}
        {!isPresent && plan.popular && <span className="z-badge z-badge-accent">{t('popular')}</span>}
      </div>
      <p className="z-plan-price">
        <strong>{price}</strong> <span className="z-second">{t(`per.${plan.id === 'free' ? 'ever' : interval}`)}</span>
      </p>
      <p className="z-second z-plan-hint">
        {hint && t(`hints.${hint}`)}
        {about && t(`about.${about}`)}
      </p>
      <Action {...props} isPresent={isPresent} />
      <PlanLines plan={plan} />
    </li>
  );
}

function Action({
  plan,
  interval,
  present,
  mayBuy,
  superAdmin,
  subscribed,
  paidInterval,
  busy,
  isPresent,
  onChoose,
}: Props & { isPresent: boolean }) {
  const { t } = useTranslation('billing');
  const manage = useManageSubscription();
  const main = plan.popular ? 'z-button-main' : '';
  const name = t(`names.${plan.id}`);
  if (plan.id === 'free' && present === null) {
    return (
      <Link to="/auth?mode=register" className="z-button z-button-wide">
        {t('start')}
      </Link>
    );
  }
  if (plan.id === 'free' && isPresent) {
    const tell = () => toast.show({ title: t('alreadyFree'), message: t('alreadyFreeText') });
    return (
      <button type="button" className="z-button z-button-wide" onClick={tell}>
        {t('current')}
      </button>
    );
  }
  if (subscribed || isPresent) {
    const otherInterval =
      isPresent && Boolean(paidInterval) && paidInterval !== interval && plan.intervals.includes(interval);
    const isChange = !isPresent || otherInterval;
    const change = { planId: plan.id as 'free' | 'starter', billingInterval: interval };
    return (
      <button
        type="button"
        className="z-button z-button-wide"
        disabled={manage.isPending}
        onClick={() => manage.mutate(isChange ? change : undefined)}
        aria-label={isPresent ? undefined : t('changeTo', { plan: name })}
      >
        {otherInterval ? t(`switchTo.${interval}`) : isPresent ? t('manage') : t('change')}
      </button>
    );
  }
  if (plan.id === 'free' || !mayBuy) {
    const reason = superAdmin && plan.id !== 'free' ? t('notForAdmins') : t('included');
    return <p className="z-plan-included z-second">{reason}</p>;
  }
  const sold = plan.intervals.includes(interval);
  return (
    <button
      type="button"
      className={`z-button z-button-wide ${main}`}
      disabled={!sold || busy}
      onClick={onChoose}
      aria-label={sold && !busy ? t('chooseNamed', { plan: name }) : undefined}
    >
      {sold ? t(busy ? 'opening' : 'choose') : t('unavailable')}
    </button>
  );
}
