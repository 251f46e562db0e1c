import { lazy, type ComponentType } from 'react';
import { loadTexts } from './i18n/i18n';
import type { Namespace } from './i18n/namespaces';

/**
 * A page that is loaded when it is first shown, together with its texts. `preload` begins that early.
 * `load` gives the component: `() => import('…').then((m) => m.ZonesPage)`.
 */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>, texts: Namespace[]) {
  const preload = async () => {
    const [page] = await Promise.all([load(), loadTexts(texts)]);
    return { default: page };
  };
  return Object.assign(lazy(preload), { preload });
}
