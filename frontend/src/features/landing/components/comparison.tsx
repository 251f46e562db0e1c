import { useTranslation } from 'react-i18next';
import { CheckIcon, CloseIcon } from '../../../shared/public-ui/icons';

const rows = ['people', 'addresses', 'mail', 'links', 'insight'] as const;

/** Compares ordinary file storage with a zone, line by line. */
export function Comparison() {
  const { t } = useTranslation('landing');
  return (
    <section className="z-band" aria-labelledby="compare">
      <h2 id="compare">{t('compare.title')}</h2>
      <div className="z-compare">
        <div className="z-compare-head" aria-hidden="true">
          <span />
          <span>{t('compare.before')}</span>
          <span>{t('compare.after')}</span>
        </div>
        {rows.map((row) => (
          <div key={row} className="z-compare-row">
            <h3>{t(`compare.rows.${row}.topic`)}</h3>
            <p className="z-compare-before">
              <CloseIcon />
              <span>
                <span className="z-compare-who">{t('compare.before')}: </span>
                {t(`compare.rows.${row}.before`)}
              </span>
            </p>
            <p className="z-compare-after">
              <CheckIcon />
              <span>
                <span className="z-compare-who">{t('compare.after')}: </span>
                {t(`compare.rows.${row}.after`)}
              </span>
            </p>
          </div>
        ))}
      </div>
    </section>
  );
}
