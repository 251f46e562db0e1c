import { useTranslation } from 'react-i18next';
import type { Site } from '../../shared/site/use-site';

/** External services that are enabled, with what they learn and where data is stored. */
export function Processors({ site: { uses, singleSignOn } }: { site: Site }) {
  const { t } = useTranslation('privacy');
  return (
    <>
      <h2>{t('how')}</h2>
      <p>{t('tracking')}</p>
      <p>{t('readingText')}</p>
      {uses?.places && <p>{t(`places.${uses.places}`)}</p>}
      {uses?.files && <p>{t(`files.${uses.files}`)}</p>}
      {uses?.payments && <p>{t('payments')}</p>}
      {singleSignOn != null && <p>{t('singleSignOn', { name: singleSignOn })}</p>}
    </>
  );
}
