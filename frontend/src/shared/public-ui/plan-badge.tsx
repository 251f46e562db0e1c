import { useTranslation } from 'react-i18next';
import { StarIcon } from './icons';

const plans = ['free', 'starter', 'creator', 'pro-creator', 'enterprise'] as const;
type Plan = (typeof plans)[number];

/** Returns the plan by name; an unknown plan counts as free. */
export function toPlan(name: string): Plan {
  return plans.find((plan) => plan === name) ?? 'free';
}

interface Props {
  plan: string;
  /** Last day of a cancelled plan. */
  endsOn?: string;
}

/** Badge with the plan's name: red if free, green with a star if paid, orange with the date if it will end. */
export function PlanBadge({ plan: name, endsOn }: Props) {
  const { t } = useTranslation();
  const plan = toPlan(name);
  const isPaid = plan !== 'free';
  if (isPaid && endsOn) {
    return (
      <span className="z-badge z-badge-warning z-badge-wraps">
        <StarIcon />
        {t('plan.withEnd', { plan: t(`plans.${plan}`), end: t('plan.endsOn', { date: endsOn }) })}
      </span>
    );
  }
  return (
    <span className={`z-badge ${isPaid ? 'z-badge-success' : 'z-badge-danger'}`}>
      {isPaid && <StarIcon />}
      {t(`plans.${plan}`)}
    </span>
  );
}
