import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { $api, type Schema } from '../../shared/api/client';
import type { ListPage } from '../../shared/api/pages';

type StoredFile = Schema<'FileDto'>;

/** A file; what a list has told of it counts until it is answered. An id that cannot be one is not asked for. */
export function useFile(id: number) {
  const queries = useQueryClient();
  return $api.useQuery(
    'get',
    '/api/files/{id}',
    { params: { path: { id } } },
    { enabled: Number.isSafeInteger(id), placeholderData: () => listed(queries, id) },
  );
}

function listed(queries: QueryClient, id: number): StoredFile | undefined {
  type List<T> = InfiniteData<ListPage<T>>;
  const files = queries.getQueriesData<List<StoredFile>>({ queryKey: ['get', '/api/zones/{id}/files'] });
  const found = queries.getQueriesData<List<Schema<'SearchHitDto'>>>({ queryKey: ['get', '/api/zones/{id}/search'] });
  const all = [
    ...files.flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []),
    ...found.flatMap(([, data]) => data?.pages.flatMap(({ items }) => items.flatMap((hit) => hit.file ?? [])) ?? []),
  ];
  return all.find((file) => file.id === id);
}
