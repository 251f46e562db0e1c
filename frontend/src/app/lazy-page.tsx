import { lazy, useState, type ComponentType } from 'react';
import { loadTexts } from './i18n/i18n';
import type { Namespace } from './i18n/namespaces';

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
  const Later = lazy(preload) as unknown as ComponentType<P>;
  function LazyPage(props: P) {
    // Kept while it is shown: another component in its place would begin anew.
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Later);
    return <Shown {...props} />;
  }
  return Object.assign(LazyPage, { preload });
}
