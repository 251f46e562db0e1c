import { lazy, useState, type ComponentType } from 'react';
import { loadNamespaces } from '../i18n/i18n';
import type { Namespace } from '../i18n/namespaces';

/** How often the user has retried after a load error. A failed page is imported again only when this changes. */
export const retryCount = { current: 0 };

/**
 * Creates a component that loads a page and its i18n namespaces on first render. After `preload()` has resolved, the
 * component renders synchronously, without a fallback. A page that can't be loaded throws; the route's error is shown in
 * its place (`screen-error.tsx`).
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
  const createLazy = () => lazy(() => preload().catch(recordFailure)) as unknown as ComponentType<P>;
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
