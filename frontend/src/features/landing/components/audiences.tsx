import { useTranslation } from 'react-i18next';

const audiences = ['videos', 'educators', 'coaches', 'authors'] as const;

export function Audiences() {
  const { t } = useTranslation('landing');
  return (
    <section className="z-band" aria-labelledby="audiences">
      <h2 id="audiences">{t('audiences.title')}</h2>
      <ul className="z-cards z-cards-four">
        {audiences.map((name) => (
          <li key={name} className="z-card">
            <h3>{t(`audiences.${name}.title`)}</h3>
            <p className="z-second">{t(`audiences.${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
