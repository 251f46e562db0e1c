import { lazy, useState, type ComponentType } from 'react';
import { loadNamespaces } from '../i18n/i18n';
import type { Namespace } from '../i18n/namespaces';

/** Loads the page anew; replaced in tests, where there is none. */
export const reloading = { now: () => location.reload() };

/** How often somebody has tried again what could not be loaded. */
export const attempts = { current: 0 };

/**
 * A page that is loaded when it is first shown, together with its texts. `preload` begins that early; a page that has
 * been loaded is drawn at once, without a moment of nothing.
 * `load` gives the component: `() => import('…').then((m) => m.ZonesPage)`.
 */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>, texts: Namespace[]) {
  let loaded: ComponentType<P> | null = null;
  const preload = async () => {
    const [page] = await Promise.all([load(), loadNamespaces(texts)]);
    loaded = page;
    return { default: page };
  };
  let failedIn: number | null = null;
  const failed = (error: unknown) => {
    failedIn = attempts.current;
    throw error;
  };
  const begin = () => lazy(() => preload().catch(renewOnce).catch(failed)) as unknown as ComponentType<P>;
  let later = begin();
  const attempt = () => {
    // What failed stays so until somebody tries again: drawn anew by itself, it would be fetched without end.
    if (failedIn !== null && failedIn !== attempts.current) {
      failedIn = null;
      later = begin();
    }
    return later;
  };
  function LazyPage(props: P) {
    // Kept while it is shown: another component in its place would begin anew.
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? attempt());
    return <Shown {...props} />;
  }
  return Object.assign(LazyPage, { preload });
}

/** For how many milliseconds after the document was loaded anew it is not again: that did not help. */
const patience = 60_000;

/** When the document was loaded anew last, kept for this tab; milliseconds since 1970. */
const renewed = {
  key: 'renewedAt',
  read: () => Number(tryTo(() => sessionStorage.getItem(renewed.key)) ?? 0),
  write: (instant: number) => tryTo(() => sessionStorage.setItem(renewed.key, String(instant))),
};

/** A browser that keeps nothing throws; what is not kept cannot be read either. */
function tryTo<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/**
 * A part that cannot be loaded is most likely gone with an update of the server: the document is then loaded anew, once,
 * and names the parts that are there now. What fails again is shown as an error.
 */
function renewOnce(error: unknown): Promise<never> {
  // Not over what is being written or sent: whoever would be asked before leaving decides themselves.
  const mayLeave = dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const now = Date.now();
  if (mayLeave && navigator.onLine && now - renewed.read() > patience) renewed.write(now);
  // What could not be noted would be tried for ever.
  const mayRenew = mayLeave && renewed.read() === now;
  if (!mayRenew) return Promise.reject(error as Error);
  reloading.now();
  return new Promise(() => undefined);
}
