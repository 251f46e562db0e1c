import { useTranslation } from 'react-i18next';
import type { Schema } from '../../shared/api/client';

/** What the installation works with, as far as it is on: who else learns something, and where things lie. */
export function Uses({ site: { uses, singleSignOn } }: { site: Schema<'SiteDto'> }) {
  const { t } = useTranslation('privacy');
  return (
    <>
      <h2>{t('how')}</h2>
      <p>{t('tracking')}</p>
      <p>{t(`places.${uses.places}`)}</p>
      <p>{t(`files.${uses.files}`)}</p>
      {uses.payments && <p>{t('payments')}</p>}
      {singleSignOn !== null && <p>{t('singleSignOn', { name: singleSignOn })}</p>}
    </>
  );
}
