import { lazy, useState, type ComponentType } from 'react';
import { loadTexts } from './i18n/i18n';
import type { Namespace } from './i18n/namespaces';

/** Loads the page anew; replaced in tests, where there is none. */
export const reloading = { now: () => location.reload() };

/**
 * A page that is loaded when it is first shown, together with its texts. `preload` begins that early; a page that has
 * been loaded is drawn at once, without a moment of nothing.
 * `load` gives the component: `() => import('…').then((m) => m.ZonesPage)`.
 */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>, texts: Namespace[]) {
  let loaded: ComponentType<P> | null = null;
  const preload = async () => {
    const [page] = await Promise.all([load(), loadTexts(texts)]);
    loaded = page;
    return { default: page };
  };
  const Later = lazy(() => preload().then(withoutMark, renewOnce)) as unknown as ComponentType<P>;
  function LazyPage(props: P) {
    // Kept while it is shown: another component in its place would begin anew.
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Later);
    return <Shown {...props} />;
  }
  return Object.assign(LazyPage, { preload });
}

/** The address for which the document was loaded anew last, kept for this tab. */
const renewed = {
  key: 'renewedFor',
  read: () => attempt(() => sessionStorage.getItem(renewed.key)),
  write: (address: string) => attempt(() => sessionStorage.setItem(renewed.key, address)),
  forget: () => attempt(() => sessionStorage.removeItem(renewed.key)),
};

/** A browser that keeps nothing throws; what is not kept cannot be read either. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function withoutMark<T>(page: T): T {
  renewed.forget();
  return page;
}

/**
 * A part that cannot be loaded is most likely gone with an update of the server: the document is then loaded anew, once,
 * and names the parts that are there now. What fails again is shown as an error.
 */
function renewOnce(error: unknown): Promise<never> {
  const isFirst = renewed.read() !== location.pathname;
  if (isFirst && navigator.onLine) renewed.write(location.pathname);
  // What could not be noted would be tried for ever.
  const mayRenew = isFirst && renewed.read() === location.pathname;
  if (!mayRenew) return Promise.reject(error as Error);
  reloading.now();
  return new Promise(() => undefined);
}
