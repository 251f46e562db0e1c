import type { ComponentType } from 'react';
import type { Namespace } from '../i18n/namespaces';
import { lazyPage } from './lazy-page';

/** Like `lazyPage`, for a page outside the app shell that uses MUI: also loads the theme. */
export function muiPage<P extends object>(load: () => Promise<ComponentType<P>>, namespaces: Namespace[]) {
  const loadThemed = async (): Promise<ComponentType<P>> => {
    const [Page, { MuiProvider }] = await Promise.all([load(), import('../mui-provider')]);
    return function ThemedPage(props: P) {
      return (
        <MuiProvider>
          <Page {...props} />
        </MuiProvider>
      );
    };
  };
  return lazyPage(loadThemed, namespaces);
}
