import { isValidElement, type ReactNode } from 'react';
import { matchRoutes, resolvePath, type RouteObject } from 'react-router';
import { readerHomeHint } from '../../shared/account/home-preference';
import { prefetchRequest } from '../../shared/api/prefetch-cache';
import { firstAsks } from './first-asks';
import { RequireAdmin } from '../require-admin';

/** How long somebody rests on a link before what it leads to is fetched, in milliseconds: passing over it is nothing. */
const rest = 65;

/** Fetches the program of a page before it is shown. */
export async function preload(routes: RouteObject[], pathname: string): Promise<void> {
  const matches = matchRoutes(routes, pathname) ?? [];
  // What is for administrators only they load.
  const closed = matches.findIndex(({ route }) => isValidElement(route.element) && route.element.type === RequireAdmin);
  const free = closed < 0 ? matches : matches.slice(0, closed);
  await Promise.all(free.flatMap(({ route }) => preloadsOf(route.element)));
}

/** Fetches the program of a page, and what it will ask for, before it is shown. */
export function goAhead(routes: RouteObject[], pathname: string): void {
  const matches = matchRoutes(routes, pathname);
  if (!matches) return;
  // Whoever shows it meets the failure.
  preload(routes, pathname).catch(() => undefined);
  const path = matches
    .map(({ route }) => route.path ?? '')
    .reduce((above, own) => resolvePath(own, above).pathname, '/');
  const params = matches.at(-1)!.params;
  const ofReaders = readerHomeHint.get() ? firstAsks.readers[path] : undefined;
  for (const ask of ofReaders ?? firstAsks.pages[path] ?? [])
    prefetchRequest(ask.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ''));
}

/** Begins to fetch the parts of a route's element, also those that it is handed. */
function preloadsOf(element: ReactNode): Promise<unknown>[] {
  if (!isValidElement<Record<string, ReactNode>>(element)) return [];
  const { preload: begin } = element.type as { preload?: () => Promise<unknown> };
  return [...(begin ? [begin()] : []), ...Object.values(element.props).flatMap(preloadsOf)];
}

/** Does so for every link of the page that is pointed at, touched or reached by the keyboard. */
export function goAheadOfLinks(routes: RouteObject[]): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const begin = ({ target, type }: Event) => {
    clearTimeout(waiting);
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link || link.origin !== location.origin || link.target || link.pathname === location.pathname) return;
    waiting = setTimeout(() => goAhead(routes, link.pathname), type === 'touchstart' ? 0 : rest);
  };
  const signs = ['pointerover', 'touchstart', 'focusin'] as const;
  for (const sign of signs) addEventListener(sign, begin, { passive: true });
  return () => {
    clearTimeout(waiting);
    for (const sign of signs) removeEventListener(sign, begin);
  };
}
