import { isValidElement, type ReactNode } from 'react';
import { matchRoutes, resolvePath, type RouteObject } from 'react-router';
import { memberHomeHint } from '../../shared/account/home-preference';
import { prefetchRequest } from '../../shared/api/prefetch-cache';
import { routePrefetches } from './route-prefetches';
import { RequireAdmin } from '../require-admin';

/** Hover time before prefetching, in milliseconds. */
const HOVER_DELAY = 65;

/** Loads the code of a page before it is rendered. */
export async function preloadRoute(routes: RouteObject[], pathname: string): Promise<void> {
  const matches = matchRoutes(routes, pathname) ?? [];
  // Only administrators may load what is behind the guard.
  const guardIndex = matches.findIndex(
    ({ route }) => isValidElement(route.element) && route.element.type === RequireAdmin,
  );
  const allowed = guardIndex < 0 ? matches : matches.slice(0, guardIndex);
  await Promise.all(allowed.flatMap(({ route }) => preloadElement(route.element)));
}

/** Loads the code of a page and sends its first API requests before it is rendered. */
export function prefetchRoute(routes: RouteObject[], pathname: string): void {
  const matches = matchRoutes(routes, pathname);
  if (!matches) return;
  // The error is shown when the page renders.
  preloadRoute(routes, pathname).catch(() => undefined);
  const routePath = matches
    .map(({ route }) => route.path ?? '')
    .reduce((parent, path) => resolvePath(path, parent).pathname, '/');
  const params = matches.at(-1)!.params;
  const memberHomePaths = memberHomeHint.get() ? routePrefetches.memberHome[routePath] : undefined;
  for (const path of memberHomePaths ?? routePrefetches.pages[routePath] ?? [])
    prefetchRequest(path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ''));
}

/** Preloads the lazy components of an element, including those in its props. */
function preloadElement(element: ReactNode): Promise<unknown>[] {
  if (!isValidElement<Record<string, ReactNode>>(element)) return [];
  const { preload } = element.type as { preload?: () => Promise<unknown> };
  return [...(preload ? [preload()] : []), ...Object.values(element.props).flatMap(preloadElement)];
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
