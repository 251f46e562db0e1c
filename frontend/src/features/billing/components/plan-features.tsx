import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { CheckIcon } from '../../../shared/public-ui/icons';
import type { Plan } from '../use-checkout';

const GB = 2 ** 30;
const metrics = ['zones', 'people', 'mails', 'bytes'] as const;

interface Props {
  plan: Plan;
  /** Features of all plans, which the page lists once. */
  sharedFeatures: readonly Plan['features'][number][];
}

/** Limits of a plan, the size of a file, and the features that not all plans have, one per line. */
export function PlanFeatures({ plan, sharedFeatures }: Props) {
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
      <li>
        <CheckIcon />
        <strong>{t('limits.file', { size: format.sizeLimit(plan.maxFileBytes) })}</strong>
      </li>
      {plan.features
        .filter((feature) => !sharedFeatures.includes(feature))
        .map((feature) => (
          <li key={feature}>
            <CheckIcon />
            {t(`features.${feature}`)}
          </li>
        ))}
    </ul>
  );
}

/** The features of all plans. */
export function SharedFeatures({ features }: { features: Props['sharedFeatures'] }) {
  const { t } = useTranslation('billing');
  if (features.length === 0) return null;
  return (
    <ul className="z-plan-lines z-plan-shared" aria-label={t('shared')}>
      {features.map((feature) => (
        <li key={feature}>
          <CheckIcon />
          {t(`features.${feature}`)}
        </li>
      ))}
    </ul>
  );
}

export function findSharedFeatures(plans: readonly Plan[]): Plan['features'] {
  const [first] = plans;
  return first?.features.filter((feature) => plans.every(({ features }) => features.includes(feature))) ?? [];
}
