import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { CheckIcon } from '../../../shared/public-ui/icons';
import type { Plan } from '../use-checkout';

const GB = 2 ** 30;
const metrics = ['zones', 'people', 'mails', 'bytes'] as const;

/** Limits and features of a plan, one per line. */
export function PlanFeatures({ plan }: { plan: Plan }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const limitText = (metric: (typeof metrics)[number]) => {
    const amount = plan.limits[metric];
    if (amount === null) return t(`limits.${metric}.none`);
    const count = metric === 'bytes' ? amount / GB : amount;
    return t(`limits.${metric}.some`, { count, formatted: format.number(count) });
  };
  return (
    <ul className="z-plan-lines">
      {metrics.map((metric) => (
        <li key={metric}>
          <CheckIcon />
          <strong>{limitText(metric)}</strong>
        </li>
      ))}
      {plan.features.map((feature) => (
        <li key={feature}>
          <CheckIcon />
          {t(`features.${feature}`)}
        </li>
      ))}
    </ul>
  );
}
