import { useTranslation } from 'react-i18next';
import type { Site } from '../../shared/site/use-site';

/** What the installation works with, as far as it is on: who else learns something, and where things lie. */
export function Processors({ site: { uses, singleSignOn } }: { site: Site }) {
  const { t } = useTranslation('privacy');
  return (
    <>
      <h2>{t('how')}</h2>
      <p>{t('tracking')}</p>
      {uses?.places && <p>{t(`places.${uses.places}`)}</p>}
      {uses?.files && <p>{t(`files.${uses.files}`)}</p>}
      {uses?.payments && <p>{t('payments')}</p>}
      {singleSignOn != null && <p>{t('singleSignOn', { name: singleSignOn })}</p>}
    </>
  );
}
