import { QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createQueryClient, usageKey } from './query-client';
import { invalidate, markStale } from './invalidate';
import { invalidationMap, excludedPrefixes, type MutationRoute } from './invalidation-map';

const contract = JSON.parse(readFileSync(join(process.cwd(), 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};
const mutationMethods = ['post', 'put', 'patch', 'delete'];
const routes = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => mutationMethods.includes(method))
    .map((method) => `${method.toUpperCase()} ${path}`),
);
const coveredRoutes = routes.filter(
  (route) => !excludedPrefixes.some((start) => route.split(' ')[1]!.startsWith(start)),
);

/** One query that is mounted and one that no component uses any more. */
function setUpQueries(path: string) {
  const queryClient = createQueryClient();
  const observedKey = ['get', path, { zoneId: 7 }];
  const left = ['get', path, { zoneId: 8 }];
  const queryFn = jest.fn(() => 'new');
  queryClient.setQueryData(observedKey, 'old');
  queryClient.setQueryData(left, 'old');
  const stop = new QueryObserver(queryClient, { queryKey: observedKey, queryFn }).subscribe(() => undefined);
  return { queries: queryClient, shown: observedKey, left, queryFn, stop };
}

describe('invalidationMap', () => {
  it('covers exactly the mutation routes of the API contract', () => {
    expect(Object.keys(invalidationMap).sort()).toEqual([...coveredRoutes].sort());
  });

  it('names only paths that can be read', () => {
    const named = Object.values(invalidationMap).flatMap((touched) => (typeof touched === 'string' ? [] : touched));
    expect([...new Set(named)].filter((path) => contract.paths[path]?.get === undefined)).toEqual([]);
  });

  it('includes the usage for routes that change it and not for others', () => {
    const change = (route: MutationRoute) => invalidationMap[route];
    const using = [
      ...(['POST /api/zones', 'DELETE /api/zones/{id}', 'POST /api/zones/{id}/invite'] as const),
      ...(['POST /api/zones/{id}/join-requests/{requestId}/approve', 'POST /api/zones/{id}/members/import'] as const),
      ...([
        'DELETE /api/zones/{id}/members/{userId}',
        'POST /api/zones/{id}/files',
        'PATCH /api/uploads/{id}',
      ] as const),
      ...(['POST /api/zones/{id}/trash/purge', 'POST /api/campaigns/{id}/send'] as const),
    ];
    for (const route of using) expect(change(route)).toContain(usageKey[1]);
    for (const route of ['PATCH /api/files/{id}/rename', 'PATCH /api/zones/{id}', 'PUT /api/campaigns/{id}'] as const) {
      expect(change(route)).not.toContain(usageKey[1]);
    }
  });
});

describe('invalidate', () => {
  it('refetches visible queries and removes inactive ones', async () => {
    const { queries, shown: observedKey, left, queryFn, stop } = setUpQueries('/api/zones/{id}/invitations');
    await invalidate(queries, 'POST /api/zones/{id}/invite');
    expect(queries.getQueryData(observedKey)).toBe('new');
    expect(queryFn).toHaveBeenCalledTimes(1);
    expect(queries.getQueryData(left)).toBeUndefined();
    stop();
  });

  it('requests nothing after a change that the caller has written to the cache', async () => {
    const { queries, shown: observedKey, left, queryFn, stop } = setUpQueries('/api/zones/{id}/files');
    await markStale(queries, 'PATCH /api/files/{id}/rename');
    expect([queries.getQueryData(observedKey), queries.getQueryData(left)]).toEqual(['old', undefined]);
    expect(queries.getQueryState(observedKey)!.isInvalidated).toBe(true);
    expect(queryFn).not.toHaveBeenCalled();
    stop();
  });

  it.each([invalidate, markStale])('refetches a query whose first request is still pending', async (refresh) => {
    const queries = createQueryClient();
    const queryKey = ['get', '/api/zones/{id}/trash', { zoneId: 7 }];
    const resolvers: ((data: string) => void)[] = [];
    const queryFn = () => new Promise<string>((resolve) => resolvers.push(resolve));
    const observer = new QueryObserver(queries, { queryKey, queryFn });
    const stop = observer.subscribe(() => undefined);
    const refreshed = refresh(queries, 'POST /api/zones/{id}/delete');
    resolvers[0]!('before');
    await waitFor(() => expect(resolvers).toHaveLength(2));
    resolvers[1]!('after');
    await refreshed;
    expect(observer.getCurrentResult()).toMatchObject({ data: 'after', error: null });
    stop();
  });

  it('leaves unrelated queries unchanged', async () => {
    const { queries, shown: observedKey, left, queryFn, stop } = setUpQueries('/api/plans');
    await invalidate(queries, 'POST /api/zones/{id}/invite');
    await invalidate(queries, 'POST /api/zones/{id}/toggle-favorite');
    expect([queries.getQueryData(observedKey), queries.getQueryData(left)]).toEqual(['old', 'old']);
    expect(queryFn).not.toHaveBeenCalled();
    stop();
  });

  it('refetches the usage only after mutations that affect it', async () => {
    const queries = createQueryClient();
    const queryFn = jest.fn(() => 'usage');
    queries.setQueryData(usageKey, 'usage');
    const stop = new QueryObserver(queries, { queryKey: usageKey, queryFn }).subscribe(() => undefined);
    const mutations = queries.getMutationCache();
    await mutations.build(queries, { mutationFn: () => Promise.resolve() }).execute(undefined);
    await invalidate(queries, 'PATCH /api/files/{id}/rename');
    expect(queryFn).not.toHaveBeenCalled();
    await invalidate(queries, 'POST /api/zones/{id}/delete');
    expect(queryFn).toHaveBeenCalledTimes(1);
    stop();
  });
});
