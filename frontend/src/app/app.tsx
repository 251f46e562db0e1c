import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RouterProvider } from 'react-router';
import { prefetchLinks, prefetchRoute } from './loading/prefetch-route';
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

/** Creates the router, which prefetches the code and data of the next page. The HTML document does so for the first. */
function createPrefetchingRouter() {
  const router = createRouter();
  let { pathname } = router.state.location;
  router.subscribe(({ location }) => {
    if (location.pathname === pathname) return;
    pathname = location.pathname;
    prefetchRoute(router.routes, pathname);
  });
  return router;
}
