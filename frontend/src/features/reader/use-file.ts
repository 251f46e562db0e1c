import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { $api, type Schema } from '../../shared/api/client';
import type { ListPage } from '../../shared/api/list-page';
import type { Block } from '../../shared/browse/blocks';

type StoredFile = Schema<'FileDto'>;

/** Loads a file; uses its data from cached lists until the response arrives. Sends no request for an invalid ID. */
export function useFile(id: number) {
  const queryClient = useQueryClient();
  return $api.useQuery(
    'get',
    '/api/files/{id}',
    { params: { path: { id } } },
    { enabled: Number.isSafeInteger(id), placeholderData: () => findInCachedLists(queryClient, id) },
  );
}

function findInCachedLists(queryClient: QueryClient, id: number): StoredFile | undefined {
  const blocks = queryClient.getQueriesData<Block<StoredFile>>({ queryKey: ['get', '/api/zones/{id}/files'] });
  const searchLists = queryClient.getQueriesData<InfiniteData<ListPage<Schema<'SearchHitDto'>>>>({
    queryKey: ['get', '/api/zones/{id}/search'],
  });
  const cachedFiles = [
    ...blocks.flatMap(([, block]) => block?.items ?? []),
    ...searchLists.flatMap(
      ([, data]) => data?.pages.flatMap(({ items }) => items.flatMap((hit) => hit.file ?? [])) ?? [],
    ),
  ];
  return cachedFiles.find((file) => file.id === id);
}
