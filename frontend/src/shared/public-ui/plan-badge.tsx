import { useTranslation } from 'react-i18next';
import { StarIcon } from './icons';

const plans = ['free', 'starter', 'creator', 'pro-creator', 'enterprise'] as const;
type Plan = (typeof plans)[number];

/** Takes the plan of a user; a plan that we do not know counts as free. */
export function toPlan(name: string): Plan {
  return plans.find((plan) => plan === name) ?? 'free';
}

interface Props {
  plan: string;
  /** The day on which it ends, when it was cancelled. */
  endsOn?: string;
}

/** The name of the plan: red when free, green with a star when paid, orange with the day when it will end. */
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
