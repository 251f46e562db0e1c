import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** Says above a link's page that it is only a preview, with a link back. */
export function VisitorPreviewBanner({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('join');
  return (
    <div className="z-notice z-join-visitor-bar">
      <strong>{t('preview.title')}</strong>
      <Link className="z-link" to={`/zones/${zoneId}`}>
        {t('preview.back')}
      </Link>
    </div>
  );
}
