import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RouterProvider } from 'react-router';
import { isLikelySignedIn } from '../shared/api/current-user';
import { prefetchLinks, prefetchRoute, preloadRoute } from './loading/prefetch-route';
import { createRouter } from './router';

/** The root component. */
export function App({ queries }: { queries: QueryClient }) {
  const [router] = useState(createPrefetchingRouter);
  useEffect(() => prefetchLinks(router.routes), [router]);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

/** Creates the router, which prefetches the code and data of the next page. */
function createPrefetchingRouter() {
  const router = createRouter();
  // The HTML document already lists the first page's requests.
  let { pathname } = router.state.location;
  if (isLikelySignedIn()) preloadRoute(router.routes, pathname).catch(() => undefined);
  router.subscribe(({ location }) => {
    if (location.pathname === pathname) return;
    pathname = location.pathname;
    prefetchRoute(router.routes, pathname);
  });
  return router;
}
