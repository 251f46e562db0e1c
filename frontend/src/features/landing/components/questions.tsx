import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

const questions = ['account', 'leave', 'files', 'see', 'cost'] as const;

/** What it costs, and what people ask before they begin. */
export function Questions() {
  const { t } = useTranslation('landing');
  return (
    <section className="z-band z-questions" aria-labelledby="questions">
      <div className="z-pricing-hint">
        <h2>{t('pricing.title')}</h2>
        <p className="z-second">{t('pricing.text')}</p>
        <Link to="/pricing" className="z-button">
          {t('pricing.action')}
        </Link>
      </div>
      <div>
        <h2 id="questions">{t('faq.title')}</h2>
        {questions.map((name) => (
          <details key={name} className="z-question">
            <summary>{t(`faq.${name}.question`)}</summary>
            <p className="z-second">{t(`faq.${name}.answer`)}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
