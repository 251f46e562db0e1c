import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client';
import { inZone } from '../../../shared/api/use-zone';
import type { Entry } from '../entries';
import { refreshFiles } from './refresh';

/** Makes a folder in a folder, or at the root (`parentId` null). */
export function useCreateFolder(zoneId: number, parentId: number | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      api.POST('/api/zones/{id}/folders', { params: { path: inZone(zoneId) }, body: { name, parentId } }),
    onSuccess: () => refreshFiles(queries),
  });
}

/** Gives a folder or a file another name; the extension of a file stays. */
export function useRename() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ entry, name }: { entry: Entry; name: string }) => {
      if (entry.kind === 'folder') {
        await api.PATCH('/api/folders/{id}', { params: { path: { id: entry.folder.id } }, body: { name } });
      } else {
        await api.PATCH('/api/files/{id}/rename', {
          params: { path: { id: entry.file.id } },
          body: { originalName: name },
        });
      }
    },
    onSuccess: () => refreshFiles(queries),
  });
}

/** Deletes folders with all that is in them, and files, one after the other. */
export function useDelete() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (entries: readonly Entry[]) => {
      for (const entry of entries) {
        if (entry.kind === 'folder') {
          await api.DELETE('/api/folders/{id}', { params: { path: { id: entry.folder.id } } });
        } else {
          await api.DELETE('/api/files/{id}', { params: { path: { id: entry.file.id } } });
        }
      }
    },
    // Also when one failed: those before it are gone.
    onSettled: () => refreshFiles(queries),
  });
}
