import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate, markStale } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';
import { toFileEntry, toFolderEntry, type Entry } from '../entries';
import type { ZoneTarget } from '../move/folder-tree';
import { hideEntries, insertFolder, refetchShortBlocks, replaceEntry } from './list-updates';

/** Creates a folder inside a folder, or at the root (`parentId` null). */
export function useCreateFolder(zoneId: number, parentId: number | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      api.POST('/api/zones/{id}/folders', { params: { path: zonePathParams(zoneId) }, body: { name, parentId } }),
    onSuccess: ({ data }) => {
      if (!data || !insertFolder(queryClient, data)) return invalidate(queryClient, 'POST /api/zones/{id}/folders');
      return markStale(queryClient, 'POST /api/zones/{id}/folders');
    },
  });
}

/** Renames a folder or file and returns the resulting name; a file's extension doesn't change. */
export function useRenameEntry() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ entry, name }: { entry: Entry; name: string }): Promise<string> => {
      if (entry.kind === 'folder') {
        const { data } = await api.PATCH('/api/folders/{id}', {
          params: { path: { id: entry.folder.id } },
          body: { name },
        });
        replaceEntry(queryClient, toFolderEntry(data!));
        return data!.name;
      }
      const { data } = await api.PATCH('/api/files/{id}/rename', {
        params: { path: { id: entry.file.id } },
        body: { originalName: name },
      });
      replaceEntry(queryClient, toFileEntry(data!));
      return data!.originalName;
    },
    onSuccess: () => markStale(queryClient, 'PATCH /api/files/{id}/rename'),
  });
}

/**
 * Moves folders (with their contents) and files to the zone's trash: all of them, or none. People who don't manage the
 * zone delete the files that they sent one by one, and can't restore them.
 */
export function useDelete(zoneId: number, canManage: boolean) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (entries: readonly Entry[]) => {
      if (!canManage) {
        for (const id of toItems(entries).fileIds ?? []) {
          await api.DELETE('/api/files/{id}', { params: { path: { id } } });
        }
        return null;
      }
      const params = { path: zonePathParams(zoneId) };
      const { data } = await api.POST('/api/zones/{id}/delete', { params, body: toItems(entries) });
      return data?.trashId ?? null;
    },
    onMutate: (entries) => hideEntries(queryClient, zoneId, entries),
    onSuccess: async (_data, _entries, isUpToDate) => {
      // A file request shows its senders how many files they have sent.
      if (!isUpToDate || !canManage) return invalidate(queryClient, 'POST /api/zones/{id}/delete');
      await markStale(queryClient, 'POST /api/zones/{id}/delete');
      return refetchShortBlocks(queryClient, zoneId);
    },
    // Someone else may have deleted them first.
    onError: () => invalidate(queryClient, 'POST /api/zones/{id}/delete'),
  });
}

/** Restores everything that one deletion moved to the trash. */
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
  /** null for the root of the zone. */
  targetFolderId: number | null;
  /** 'rename' adds a number to entries whose names are taken; without it, one taken name rejects the whole move. */
  onConflict?: 'rename';
}

/** Moves folders (with their contents) and files within their zone: all of them, or none. */
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

export interface TransferRequest {
  action: 'move' | 'copy';
  entries: readonly Entry[];
  target: ZoneTarget;
}

/** Copies entries, or moves them to another zone: all of them, or none. Returns the id for undoing it. */
export function useTransfer(zoneId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ action, entries, target }: TransferRequest) => {
      const request = {
        params: { path: zonePathParams(zoneId) },
        body: { ...toItems(entries), targetZoneId: target.zoneId, targetFolderId: target.id },
      };
      const { data } =
        action === 'copy'
          ? await api.POST('/api/zones/{id}/copy', request)
          : await api.POST('/api/zones/{id}/transfer', request);
      return data!.undoId;
    },
    onMutate: ({ action, entries }) => (action === 'move' ? hideEntries(queryClient, zoneId, entries) : undefined),
    onSettled: () => invalidate(queryClient, 'POST /api/zones/{id}/transfer'),
  });
}

/** Undoes a copy, or a move to another zone. */
export function useUndoTransfer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.POST('/api/transfers/{id}/undo', { params: { path: { id } } }),
    onSettled: () => invalidate(queryClient, 'POST /api/transfers/{id}/undo'),
  });
}

function toItems(entries: readonly Entry[]): Schema<'ItemsDto'> {
  return {
    fileIds: entries.flatMap((entry) => (entry.kind === 'file' ? entry.file.id : [])),
    folderIds: entries.flatMap((entry) => (entry.kind === 'folder' ? entry.folder.id : [])),
  };
}
