import { useTranslation } from 'react-i18next';

const questions = ['change', 'cancel', 'over', 'people', 'failed', 'pay'] as const;

/** Frequently asked questions before buying. */
export function Faq() {
  const { t } = useTranslation('billing');
  return (
    <section className="z-faq" aria-labelledby="faq">
      <h2 id="faq">{t('faq.title')}</h2>
      {questions.map((name) => (
        <details key={name}>
          <summary>{t(`faq.${name}.question`)}</summary>
          <p className="z-second">{t(`faq.${name}.answer`)}</p>
        </details>
      ))}
    </section>
  );
}
