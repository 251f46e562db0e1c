import { QueryClientProvider } from '@tanstack/react-query';
import { act, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18n from 'i18next';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router';
import { loadTexts, startTexts } from '../src/app/i18n/i18n';
import { namespaces, type Namespace } from '../src/app/i18n/namespaces';
import { MuiProvider } from '../src/app/mui-provider';
import { routes as productRoutes } from '../src/app/router';
import { createQueryClient } from '../src/shared/api/query-client';
import { limitReached } from '../src/shared/plan/limit-reached';
import type { Language } from '../src/shared/preferences/language';
import { Toaster } from '../src/shared/toast/toaster';

// Generous for a busy machine; a test that passes never waits for it.
configure({ asyncUtilTimeout: 10_000 });

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

/** Shows the whole product at an address. */
export function renderProduct(at: string, options: Omit<Options, 'at'> = {}) {
  return renderRoutes(productRoutes, { ...options, at });
}
