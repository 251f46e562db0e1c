import { QueryClientProvider } from '@tanstack/react-query';
import { act, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18n from 'i18next';
import { isValidElement, type ReactNode } from 'react';
import { createMemoryRouter, matchRoutes, RouterProvider, type RouteObject } from 'react-router';
import { loadTexts, startTexts } from '../src/app/i18n/i18n';
import { namespaces, type Namespace } from '../src/app/i18n/namespaces';
import { MuiProvider } from '../src/app/mui-provider';
import { AppShell } from '../src/app/pages';
import { routes as productRoutes } from '../src/app/router';
import { SignedInArea } from '../src/app/signed-in-area';
import { openedFor } from '../src/shared/account/opened-for';
import { createQueryClient } from '../src/shared/api/query-client';
import { limitReached } from '../src/shared/plan/limit-reached';
import type { Language } from '../src/shared/preferences/language';
import { Toaster } from '../src/shared/toast/toaster';

// Generous for a busy machine, within the time of a test; one that passes never waits for it.
configure({ asyncUtilTimeout: 30_000 });

interface Options {
  at?: string;
  language?: Language;
}

async function speak(language: Language) {
  await startTexts();
  await loadTexts(Object.keys(namespaces) as Namespace[]);
  await act(() => i18n.changeLanguage(language));
}

async function renderRoutes(routes: RouteObject[], { at = '/', language = 'en' }: Options) {
  await speak(language);
  limitReached.reset();
  openedFor.reset();
  const queries = createQueryClient();
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const user = userEvent.setup({ advanceTimers: advanceIfFake });
  const view = render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const address = () => router.state.location.pathname + router.state.location.search;
  return { ...view, router, queries, user, address };
}

function advanceIfFake(ms: number) {
  if ('clock' in setTimeout) jest.advanceTimersByTime(ms);
}

/** Shows one piece of the page with all that it may lean on: texts, theme, queries, an address, toasts. */
export function renderPiece(piece: ReactNode, options: Options = {}) {
  const element = (
    <MuiProvider>
      {piece}
      <Toaster />
    </MuiProvider>
  );
  return renderRoutes([{ path: '*', element }], options);
}

/** Begins to load the pages that stand in an element. */
function loading(node: unknown): Promise<unknown>[] {
  if (Array.isArray(node)) return node.flatMap(loading);
  if (!isValidElement<object>(node)) return [];
  const { preload } = node.type as { preload?: () => Promise<unknown> };
  const inside = Object.values(node.props).flatMap(loading);
  if (node.type === SignedInArea) inside.push(AppShell.preload());
  return preload ? [preload(), ...inside] : inside;
}

/**
 * Shows the whole product at an address. What stands there is loaded first: on a busy machine modules such as
 * react-admin take longer than a test waits for what a page shows.
 */
export async function renderProduct(at: string, options: Omit<Options, 'at'> = {}) {
  await Promise.all((matchRoutes(productRoutes, at) ?? []).flatMap(({ route }) => loading(route.element)));
  return renderRoutes(productRoutes, { ...options, at });
}
