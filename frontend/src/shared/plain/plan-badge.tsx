import { useTranslation } from 'react-i18next';
import { StarIcon } from './icons';

const plans = ['free', 'starter', 'creator', 'pro-creator', 'enterprise'] as const;
type Plan = (typeof plans)[number];

/** Takes the plan of a user; a plan that we do not know counts as free. */
export function toPlan(name: string): Plan {
  return plans.find((plan) => plan === name) ?? 'free';
}

/** The name of the plan: red when free, green with a star when paid. */
export function PlanBadge({ plan: name }: { plan: string }) {
  const { t } = useTranslation();
  const plan = toPlan(name);
  const paid = plan !== 'free';
  return (
    <span className={`z-badge ${paid ? 'z-badge-success' : 'z-badge-danger'}`}>
      {paid && <StarIcon />}
      {t(`plans.${plan}`)}
    </span>
  );
}
