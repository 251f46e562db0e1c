import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * Registers the service worker (public/service-worker.js), with which browsers install the page as an app. Its texts are
 * in the language of the page. Without one, as in private windows or on an insecure address, everything works as before.
 */
export function useServiceWorker(): void {
  const { language } = useTranslation().i18n;
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    navigator.serviceWorker.register(`/service-worker.js?language=${language}`).catch(() => undefined);
  }, [language]);
}
