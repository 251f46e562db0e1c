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

const mark = 'renewedFor';

function withoutMark<T>(page: T): T {
  sessionStorage.removeItem(mark);
  return page;
}

/**
 * A part that cannot be loaded is most likely gone with an update of the server: the document is then loaded anew, once,
 * and names the parts that are there now. What fails again is shown as an error.
 */
function renewOnce(error: unknown): Promise<never> {
  if (!navigator.onLine || sessionStorage.getItem(mark) === location.pathname) return Promise.reject(error as Error);
  sessionStorage.setItem(mark, location.pathname);
  reloading.now();
  return new Promise(() => undefined);
}
