import { matchRoutes, type RouteObject } from 'react-router';
import { memberHomeHint } from '../../shared/account/home-preference';
import { prefetchRequest } from '../../shared/api/prefetch-cache';
import type { PageHandle } from './page-route';

/** Hover time before prefetching, in milliseconds. */
const HOVER_DELAY = 65;

/** Loads the code of a page before it is rendered. */
export async function preloadRoute(routes: RouteObject[], pathname: string): Promise<void> {
  await Promise.all(matchPages(routes, pathname).map(({ preload }) => preload()));
}

/** Loads the code of a page and sends its first API requests before it is rendered. */
export function prefetchRoute(routes: RouteObject[], pathname: string): void {
  // The error is shown when the page renders.
  preloadRoute(routes, pathname).catch(() => undefined);
  for (const { requests, memberHomeRequests, params } of matchPages(routes, pathname)) {
    for (const path of (memberHomeHint.get() && memberHomeRequests) || requests)
      prefetchRequest(path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ''));
  }
}

/** Returns the pages at a path, outermost first. */
function matchPages(routes: RouteObject[], pathname: string) {
  const matches = matchRoutes(routes, pathname) ?? [];
  return matches.flatMap(({ route, params }) => {
    const handle = route.handle as PageHandle | undefined;
    return handle ? { ...handle, params } : [];
  });
}

/**
 * Prefetches the target of every link that is hovered over, touched or focused.
 * @returns a function that stops this
 */
export function prefetchLinks(routes: RouteObject[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = ({ target, type }: Event) => {
    clearTimeout(timer);
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link || link.origin !== location.origin || link.target || link.pathname === location.pathname) return;
    timer = setTimeout(() => prefetchRoute(routes, link.pathname), type === 'touchstart' ? 0 : HOVER_DELAY);
  };
  const eventTypes = ['pointerover', 'touchstart', 'focusin'] as const;
  for (const type of eventTypes) addEventListener(type, schedule, { passive: true });
  return () => {
    clearTimeout(timer);
    for (const type of eventTypes) removeEventListener(type, schedule);
  };
}
