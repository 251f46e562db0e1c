import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RouterProvider } from 'react-router';
import { isLikelySignedIn } from '../shared/api/current-user';
import { goAhead, goAheadOfLinks, preload } from './loading/go-ahead';
import { createRouter } from './router';

/** The root component. */
export function App({ queries }: { queries: QueryClient }) {
  const [router] = useState(createGoingAhead);
  useEffect(() => goAheadOfLinks(router.routes), [router]);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

/** Creates the router, which prefetches the next page's data before rendering it. */
function createGoingAhead() {
  const router = createRouter();
  // The HTML document already lists the first page's requests.
  let { pathname } = router.state.location;
  if (isLikelySignedIn()) preload(router.routes, pathname).catch(() => undefined);
  router.subscribe(({ location }) => {
    if (location.pathname === pathname) return;
    pathname = location.pathname;
    goAhead(router.routes, pathname);
  });
  return router;
}
