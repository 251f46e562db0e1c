import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';
import type { Entry } from '../entries';
import { hideEntries } from './hide-entries';

/** Makes a folder in a folder, or at the root (`parentId` null). */
export function useCreateFolder(zoneId: number, parentId: number | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      api.POST('/api/zones/{id}/folders', { params: { path: zonePathParams(zoneId) }, body: { name, parentId } }),
    onSuccess: () => invalidate(queryClient, 'POST /api/zones/{id}/folders'),
  });
}

/** Gives a folder or a file another name, and tells the name that it has then: the extension of a file stays. */
export function useRenameEntry() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ entry, name }: { entry: Entry; name: string }): Promise<string> => {
      if (entry.kind === 'folder') {
        const { data } = await api.PATCH('/api/folders/{id}', {
          params: { path: { id: entry.folder.id } },
          body: { name },
        });
        return data!.name;
      }
      const { data } = await api.PATCH('/api/files/{id}/rename', {
        params: { path: { id: entry.file.id } },
        body: { originalName: name },
      });
      return data!.originalName;
    },
    onSuccess: () => invalidate(queryClient, 'PATCH /api/files/{id}/rename'),
  });
}

/** Puts folders with all that is in them, and files, into the trash of their zone: all of them, or none. */
export function useDelete(zoneId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (entries: readonly Entry[]) => {
      const params = { path: zonePathParams(zoneId) };
      const { data } = await api.POST('/api/zones/{id}/delete', { params, body: toItems(entries) });
      return data?.trashId ?? null;
    },
    onMutate: (entries) => hideEntries(queryClient, zoneId, entries),
    // Also when it failed: somebody else may have been faster.
    onSettled: () => invalidate(queryClient, 'POST /api/zones/{id}/delete'),
  });
}

/** Brings back what one deletion put into the trash. */
export function useRestoreDeletion(zoneId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (trashId: string) =>
      api.POST('/api/zones/{id}/trash/restore', { params: { path: zonePathParams(zoneId) }, body: { trashId } }),
    onSettled: () => invalidate(queryClient, 'POST /api/zones/{id}/trash/restore'),
  });
}

export interface MoveRequest {
  entries: readonly Entry[];
  /** null is the top of the zone. */
  targetFolderId: number | null;
  /** Things whose names are taken there get a number; otherwise one of them refuses the whole move. */
  onConflict?: 'rename';
}

/** Moves folders with all that is in them, and files, inside their zone: all of them, or none. */
export function useMove(zoneId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ entries, ...target }: MoveRequest) =>
      api.POST('/api/zones/{id}/move', {
        params: { path: zonePathParams(zoneId) },
        body: { ...toItems(entries), ...target },
      }),
    onMutate: ({ entries }) => hideEntries(queryClient, zoneId, entries),
    onSettled: () => invalidate(queryClient, 'POST /api/zones/{id}/move'),
  });
}

function toItems(entries: readonly Entry[]): Schema<'ItemsDto'> {
  return {
    fileIds: entries.flatMap((entry) => (entry.kind === 'file' ? entry.file.id : [])),
    folderIds: entries.flatMap((entry) => (entry.kind === 'folder' ? entry.folder.id : [])),
  };
}
