import { useTranslation } from 'react-i18next';
import type { Plan } from '../use-checkout';
import { PlanFeatures } from './plan-features';

interface Props {
  plan: Plan;
  sharedFeatures: Plan['features'];
  isCurrent: boolean;
}

/** The plan by agreement, with a link to request it. */
export function EnterprisePlanCard({ plan, sharedFeatures, isCurrent }: Props) {
  const { t } = useTranslation('billing');
  const subject = encodeURIComponent(t('enterprise.subject'));
  return (
    <section className="z-card z-enterprise" aria-labelledby="enterprise">
      <div>
        <div className="z-plan-head">
          <h2 id="enterprise">{t('names.enterprise')}</h2>
          {isCurrent && <span className="z-badge z-badge-success">{t('current')}</span>}
        </div>
        <p className="z-plan-price">
          <strong>{t('enterprise.price')}</strong>
        </p>
        <p className="z-second">{t('hints.enterprise')}</p>
        {plan.contactEmail ? (
          <a className="z-button" href={`mailto:${plan.contactEmail}?subject=${subject}`}>
            {t('enterprise.inquiry')}
          </a>
        ) : (
          <p className="z-second">{t('enterprise.noContact')}</p>
        )}
      </div>
      <PlanFeatures plan={plan} sharedFeatures={sharedFeatures} />
    </section>
  );
}
