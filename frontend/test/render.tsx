import { QueryClientProvider } from '@tanstack/react-query';
import { act, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18n from 'i18next';
import { isValidElement, type ReactNode } from 'react';
import { createMemoryRouter, matchRoutes, RouterProvider, type RouteObject } from 'react-router';
import { loadNamespaces, startTranslations } from '../src/app/i18n/i18n';
import { namespaces, type Namespace } from '../src/app/i18n/namespaces';
import { MuiProvider } from '../src/app/mui-provider';
import { AppShell } from '../src/app/pages';
import { routes as productRoutes } from '../src/app/router';
import { SignedInArea } from '../src/app/signed-in-area';
import { accountHeader } from '../src/shared/account/account-header';
import { createQueryClient } from '../src/shared/api/query-client';
import { planLimitStore } from '../src/shared/plan/plan-limit-store';
import type { Language } from '../src/shared/preferences/language';
import { Toaster } from '../src/shared/toast/toaster';
import { skipOwnerStacks, skipPageInRepeatedErrors } from './skip-discarded-diagnostics';

// Generous for a busy machine, but shorter than the test's timeout; passing tests never wait for it.
configure({ asyncUtilTimeout: 30_000 });
skipOwnerStacks();
skipPageInRepeatedErrors();

interface RenderOptions {
  initialPath?: string;
  language?: Language;
}

async function loadLanguage(language: Language) {
  await startTranslations();
  await loadNamespaces(Object.keys(namespaces) as Namespace[]);
  await act(() => i18n.changeLanguage(language));
}

async function renderRoutes(routes: RouteObject[], { initialPath = '/', language = 'en' }: RenderOptions) {
  await loadLanguage(language);
  planLimitStore.reset();
  accountHeader.reset();
  const queries = createQueryClient();
  const router = createMemoryRouter(routes, { initialEntries: [initialPath] });
  const user = userEvent.setup({ advanceTimers: advanceFakeTimers });
  const rendered = render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const address = () => router.state.location.pathname + router.state.location.search;
  return { ...rendered, router, queries, user, address };
}

function advanceFakeTimers(ms: number) {
  if ('clock' in setTimeout) jest.advanceTimersByTime(ms);
}

/** Renders a component with its providers: texts, theme, queries, router, toasts. */
export function renderComponent(component: ReactNode, options: RenderOptions = {}) {
  const element = (
    <MuiProvider>
      {component}
      <Toaster />
    </MuiProvider>
  );
  return renderRoutes([{ path: '*', element }], options);
}

/** Loads the lazy page of a route, including those that only administrators may load. */
async function preloadElement(element: ReactNode): Promise<void> {
  if (!isValidElement(element)) return;
  const { preload } = element.type as { preload?: () => Promise<unknown> };
  await (element.type === SignedInArea ? AppShell.preload() : preload?.());
}

/**
 * Renders the whole app at a path. Its lazy pages are preloaded: on a busy machine modules such as react-admin take
 * longer than the timeout of queries.
 */
export async function renderApp(initialPath: string, options: Omit<RenderOptions, 'initialPath'> = {}) {
  const matches = matchRoutes(productRoutes, initialPath) ?? [];
  await Promise.all(matches.map(({ route }) => preloadElement(route.element)));
  return renderRoutes(productRoutes, { ...options, initialPath });
}
