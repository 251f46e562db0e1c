import { useMutation } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { staleTimes } from '../../../shared/api/query-client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type Mirror = Schema<'MirrorDto'>;
export type NewMirror = Schema<'CreateMirrorDto'>;
export type Folder = Schema<'FolderDto'>;

const MIRRORS_PATH = '/api/zones/{id}/folder-mirrors';

/** Loads the mirrors of a zone's folders elsewhere, and of other zones' folders in it. */
export function useMirrors(zoneId: number) {
  return $api.useQuery(
    'get',
    MIRRORS_PATH,
    { params: { path: zonePathParams(zoneId) } },
    { staleTime: staleTimes.mirrors },
  );
}

/** Loads the subfolders of a folder, or those at the root of a zone (`parentId` null). */
export function useFolders(zoneId: number, parentId: number | null) {
  const query = { parentId: parentId ?? undefined };
  return $api.useQuery('get', '/api/zones/{id}/folders', { params: { path: zonePathParams(zoneId), query } });
}

/** Mirrors a folder of one zone in another. */
export function useCreateMirror() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ zoneId, ...body }: NewMirror & { zoneId: number }) =>
      api.POST(MIRRORS_PATH, { params: { path: zonePathParams(zoneId) }, body }),
    onSuccess: () => invalidate('POST /api/zones/{id}/folder-mirrors'),
  });
}

/** Deletes a mirror and the folder that shows it; the source isn't affected. */
export function useDeleteMirror() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/folder-mirrors/{id}', { params: { path: { id } } }),
    onSuccess: () => invalidate('DELETE /api/folder-mirrors/{id}'),
  });
}
