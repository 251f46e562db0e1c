import { useMutation } from '@tanstack/react-query';
import { $api, api, type Schema } from '../../../shared/api/client';
import { staleTimes } from '../../../shared/api/query-client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type Mirror = Schema<'MirrorDto'>;
export type NewMirror = Schema<'CreateMirrorDto'>;
export type Folder = Schema<'FolderDto'>;

const MIRRORS_PATH = '/api/zones/{id}/folder-mirrors';

/** The mirrors of a zone's folders elsewhere, and of other zones' folders in it. */
export function useMirrors(zoneId: number) {
  return $api.useQuery(
    'get',
    MIRRORS_PATH,
    { params: { path: zonePathParams(zoneId) } },
    { staleTime: staleTimes.mirrors },
  );
}

/** The folders of a zone in a folder, or at its root (`parentId` null). */
export function useFolders(zoneId: number, parentId: number | null) {
  const query = { parentId: parentId ?? undefined };
  return $api.useQuery('get', '/api/zones/{id}/folders', { params: { path: zonePathParams(zoneId), query } });
}

/** Shows a folder of a zone in another one. */
export function useCreateMirror() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ zoneId, ...body }: NewMirror & { zoneId: number }) =>
      api.POST(MIRRORS_PATH, { params: { path: zonePathParams(zoneId) }, body }),
    onSuccess: () => invalidate('POST /api/zones/{id}/folder-mirrors'),
  });
}

/** Takes a mirror away, with the folder that shows it; the source stays. */
export function useDeleteMirror() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/folder-mirrors/{id}', { params: { path: { id } } }),
    onSuccess: () => invalidate('DELETE /api/folder-mirrors/{id}'),
  });
}
