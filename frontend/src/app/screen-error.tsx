import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { retryCount } from './loading/lazy-page';
import { useIsOutdated } from '../shared/hooks/use-is-outdated';
import { useOnReconnect } from '../shared/hooks/use-on-reconnect';

/** The screen whose last retry failed. */
const lastRetry = { path: '' };

/**
 * Replaces a screen, or a routed part of it, that failed to load or to render; the layout around it stays. Uses plain
 * HTML elements, because it is part of the initial bundle.
 */
export function ScreenError() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const currentLocation = useLocation();
  const [wasRetried] = useState(() => lastRetry.path === location.pathname);
  // Leaving and returning counts as a retry too.
  useEffect(() => () => void retryCount.current++, []);
  const retry = () => {
    lastRetry.path = location.pathname;
    retryCount.current++;
    // The router clears an error on navigation, even to the same path.
    void navigate(currentLocation, {
      replace: true,
      state: currentLocation.state as unknown,
      preventScrollReset: true,
    });
  };
  const isOnline = useOnReconnect(retry);
  const isOutdated = useIsOutdated();
  const mustReload = isOutdated || (wasRetried && isOnline);
  const [title, text] = isOutdated
    ? (['errors.outdated', 'errors.outdatedText'] as const)
    : isOnline
      ? (['errors.title', 'errors.page'] as const)
      : (['errors.offline', 'errors.offlineText'] as const);
  return (
    <div className="z-card" role="alert">
      <h1 className="z-title">{t(title)}</h1>
      <p className="z-second">{t(text)}</p>
      <div className="z-actions">
        <button type="button" className="z-button" onClick={mustReload ? () => location.reload() : retry}>
          {t(mustReload ? 'errors.reload' : 'actions.retry')}
        </button>
      </div>
    </div>
  );
}
