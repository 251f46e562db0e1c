import { QueryClientProvider } from '@tanstack/react-query';
import { render, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { makeUser, mockApi, notSignedInResponse, type MockResponse } from '../../test/api';
import { currentUserKey } from '../shared/api/current-user';
import { createQueryClient } from '../shared/api/query-client';
import { startTranslations } from './i18n/i18n';
import { lazyPage } from './loading/lazy-page';
import { page } from './loading/page-route';
import { Root } from './root';

/** Renders nested pages whose code never arrives; returns the names of those that are loaded. */
async function renderNestedPages(userResponse: MockResponse) {
  mockApi({ 'GET /api/user': userResponse });
  await startTranslations();
  const loaded = new Set<string>();
  const createPage = (name: string) =>
    lazyPage(() => {
      loaded.add(name);
      return new Promise<() => null>(() => undefined);
    }, []);
  const [Outer, Inner] = [createPage('outer'), createPage('inner')];
  const children = [{ path: '/', ...page(<Outer />), children: [{ index: true, ...page(<Inner />) }] }];
  const queries = createQueryClient();
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={createMemoryRouter([{ element: <Root />, children }])} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(queries.getQueryData(currentUserKey)).toBeDefined());
  return loaded;
}

beforeEach(() => localStorage.clear());

describe('Nested pages', () => {
  it('are loaded in parallel when a user is signed in', async () => {
    const loaded = await renderNestedPages([200, makeUser()]);
    await waitFor(() => expect([...loaded]).toEqual(['outer', 'inner']));
  });

  it('are not loaded for signed-out visitors, who may see another page', async () => {
    const loaded = await renderNestedPages(notSignedInResponse);
    expect([...loaded]).toEqual(['outer']);
  });
});
