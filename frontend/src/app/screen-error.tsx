import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { attempts } from './loading/lazy-page';
import { useOnReconnect } from '../shared/hooks/use-on-reconnect';

/** The screen that was tried again last, and failed. */
const lastRetry = { path: '' };

/**
 * Stands in the place of a screen, or of a part of it with an address, that could not be loaded or broke; what is around
 * it goes on. In plain elements: it belongs to what every page loads first.
 */
export function ScreenError() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const currentLocation = useLocation();
  const [wasRetried] = useState(() => lastRetry.path === location.pathname);
  // Whoever leaves and comes back tries again as well.
  useEffect(() => () => void attempts.current++, []);
  const retry = () => {
    lastRetry.path = location.pathname;
    attempts.current++;
    // The router lets go of an error when it is led somewhere, be it to the same place.
    void navigate(currentLocation, {
      replace: true,
      state: currentLocation.state as unknown,
      preventScrollReset: true,
    });
  };
  const isOnline = useOnReconnect(retry);
  const mustReload = wasRetried && isOnline;
  return (
    <div className="z-card" role="alert">
      <h1 className="z-title">{t(isOnline ? 'errors.title' : 'errors.offline')}</h1>
      <p className="z-second">{t(isOnline ? 'errors.page' : 'errors.offlineText')}</p>
      <div className="z-actions">
        <button type="button" className="z-button" onClick={mustReload ? () => location.reload() : retry}>
          {t(mustReload ? 'errors.reload' : 'actions.retry')}
        </button>
      </div>
    </div>
  );
}
