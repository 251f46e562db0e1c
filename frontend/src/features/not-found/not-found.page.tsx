import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useCurrentUser } from '../../shared/api/current-user';
import { useDelayedRedirect } from '../../shared/hooks/use-delayed-redirect';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicFrame } from '../../shared/plain/public-frame';

const redirectAfter = 3000;

/** Any address without a page. Under /zones/ it says why and leads on by itself after 3 seconds. */
export function NotFoundPage() {
  const { t } = useTranslation('notFound');
  const { pathname } = useLocation();
  const { data: user } = useCurrentUser();
  const underZones = pathname.startsWith('/zones/');
  const title = underZones ? t('zoneTitle') : t('title');
  useTitle(title);
  return (
    <PublicFrame centred>
      <div className="z-card">
        <h1 className="z-title">{title}</h1>
        <p className="z-second">{underZones ? t('zoneText') : t('text')}</p>
        {underZones && user !== undefined && <ZoneRedirect signedIn={user !== null} />}
        <div className="z-actions">
          <Link className="z-button" to="/">
            {t('home')}
          </Link>
          <Link className="z-button" to="/dashboard">
            {t('dashboard')}
          </Link>
          <Link className="z-button" to="/shared-zones">
            {t('shared')}
          </Link>
          {!user && (
            <Link className="z-button" to="/login">
              {t('login')}
            </Link>
          )}
        </div>
      </div>
    </PublicFrame>
  );
}

function ZoneRedirect({ signedIn }: { signedIn: boolean }) {
  const { t } = useTranslation('notFound');
  useDelayedRedirect(signedIn ? '/shared-zones' : '/login', redirectAfter);
  return (
    <p className="z-notice" role="status">
      {signedIn ? t('zoneRedirectShared') : t('zoneRedirectLogin')}
    </p>
  );
}
