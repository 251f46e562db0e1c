import { lazy, useState, type ComponentType } from 'react';
import { loadNamespaces } from '../i18n/i18n';
import type { Namespace } from '../i18n/namespaces';

/** Reloads the document. Mocked in tests, because jsdom can't reload. */
export const documentReload = { run: () => location.reload() };

/** How often the user has retried after a load error. A failed page is imported again only when this changes. */
export const retryCount = { current: 0 };

/**
 * Creates a component that loads a page and its i18n namespaces on first render. After `preload()` has resolved, the
 * component renders synchronously, without a fallback.
 * @param load returns the component: `() => import('…').then((m) => m.ZonesPage)`
 * @param namespaces i18n namespaces that the page uses
 */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>, namespaces: Namespace[]) {
  let loaded: ComponentType<P> | null = null;
  const preload = async () => {
    const [component] = await Promise.all([load(), loadNamespaces(namespaces)]);
    loaded = component;
    return { default: component };
  };
  let failedRetryCount: number | null = null;
  const recordFailure = (error: unknown) => {
    failedRetryCount = retryCount.current;
    throw error;
  };
  const createLazy = () => lazy(() => preload().catch(reloadOnce).catch(recordFailure)) as unknown as ComponentType<P>;
  let currentComponent = createLazy();
  const getCurrentComponent = () => {
    // Without a retry by the user, a failed page is not imported again: every render would restart loading.
    if (failedRetryCount !== null && failedRetryCount !== retryCount.current) {
      failedRetryCount = null;
      currentComponent = createLazy();
    }
    return currentComponent;
  };
  function LazyPage(props: P) {
    // Kept in state, because another component type would remount the page.
    const [Page] = useState<ComponentType<P>>(() => loaded ?? getCurrentComponent());
    return <Page {...props} />;
  }
  return Object.assign(LazyPage, { preload });
}

/** Minimum time between two automatic reloads, in milliseconds. An error within it is shown instead. */
const RELOAD_INTERVAL = 60_000;

/** Time of the last automatic reload in this tab, in milliseconds since 1970. */
const lastReload = {
  key: 'renewedAt',
  read: () => Number(ignoreErrors(() => sessionStorage.getItem(lastReload.key)) ?? 0),
  write: (time: number) => ignoreErrors(() => sessionStorage.setItem(lastReload.key, String(time))),
};

/** `sessionStorage` throws where the browser blocks storage. */
function ignoreErrors<T>(callback: () => T): T | undefined {
  try {
    return callback();
  } catch {
    return undefined;
  }
}

/**
 * Reloads the document once. A chunk that can't be loaded was most likely removed by a deployment, and the new document
 * refers to the new chunks. If loading fails again, the error is shown.
 */
function reloadOnce(error: unknown): Promise<never> {
  // Don't reload over unsaved changes or running uploads.
  const canLeave = dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const now = Date.now();
  if (canLeave && navigator.onLine && now - lastReload.read() > RELOAD_INTERVAL) lastReload.write(now);
  // Reload only if the time could be stored. Otherwise a permanent error would reload the document endlessly.
  const canReload = canLeave && lastReload.read() === now;
  if (!canReload) return Promise.reject(error as Error);
  documentReload.run();
  return new Promise(() => undefined);
}
