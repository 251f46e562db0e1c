import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useCurrentUser } from '../../shared/api/current-user';
import { useDelayedRedirect } from '../../shared/hooks/use-delayed-redirect';
import { useTitle } from '../../shared/hooks/use-title';
import { PublicFrame } from '../../shared/public-ui/public-frame';

const REDIRECT_DELAY = 3000;

/** Shown for unknown URLs. Under /zones/ it explains why and redirects after 3 seconds. */
export function NotFoundPage() {
  const { t } = useTranslation('notFound');
  const { pathname } = useLocation();
  const { data: user } = useCurrentUser();
  const isZonePath = pathname.startsWith('/zones/');
  const title = isZonePath ? t('zoneTitle') : t('title');
  useTitle(title);
  return (
    <PublicFrame centred>
      <div className="z-card">
        <h1 className="z-title">{title}</h1>
        <p className="z-second">{isZonePath ? t('zoneText') : t('text')}</p>
        {isZonePath && user !== undefined && <ZoneRedirect isSignedIn={user !== null} />}
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

function ZoneRedirect({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation('notFound');
  useDelayedRedirect(isSignedIn ? '/shared-zones' : '/login', REDIRECT_DELAY);
  return (
    <p className="z-notice" role="status">
      {isSignedIn ? t('zoneRedirectShared') : t('zoneRedirectLogin')}
    </p>
  );
}
