import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useBillingEnabled } from '../../../shared/site/use-billing-enabled';

const questions = ['account', 'leave', 'files', 'see', 'cost'] as const;

/** Prices where billing is enabled, and frequently asked questions. */
export function LandingFaq() {
  const { t } = useTranslation('landing');
  const isBillingEnabled = useBillingEnabled();
  const visibleQuestions = questions.filter((name) => isBillingEnabled || name !== 'cost');
  return (
    <section className="z-band z-questions" aria-labelledby="questions">
      {isBillingEnabled && (
        <div className="z-pricing-hint">
          <h2>{t('pricing.title')}</h2>
          <p className="z-second">{t('pricing.text')}</p>
          <Link to="/pricing" className="z-button">
            {t('pricing.action')}
          </Link>
        </div>
      )}
      <div>
        <h2 id="questions">{t('faq.title')}</h2>
        {visibleQuestions.map((name) => (
          <details key={name} className="z-question">
            <summary>{t(`faq.${name}.question`)}</summary>
            <p className="z-second">{t(`faq.${name}.answer`)}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
