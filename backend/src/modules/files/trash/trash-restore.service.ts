import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, addMilliseconds } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import type { ItemIds } from '../tree/item-selection.service.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import type { RestoredDto, TrashEntryDto } from '../dto/items.dto.js';
import type { AccessZone } from '../access/file-access.repository.js';
import { FileRequestRepository } from '../requests/file-request.repository.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { MAX_DEPTH, TRASH_LIFETIME } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { createItemEntries } from '../shared/item-activity.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { fullName } from '../../auth/entities/user.entity.js';
import type { FolderPathDto } from '../dto/folder.dto.js';
import { TrashRepository, type TrashEntryRow } from './trash.repository.js';

/** Items to restore: entries identified by their file or folder, or everything from one deletion. */
export interface RestoreRequest extends ItemIds {
  readonly trashId: string | null;
}

/**
 * Lists trashed items and restores them to their original folder, or to the root if that folder is gone or the result
 * would be nested too deeply. A private submission stays private there.
 */
@Injectable()
export class TrashRestoreService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly trash: TrashRepository,
    private readonly requests: FileRequestRepository,
    private readonly tree: ItemTreeRepository,
    private readonly placement: ItemPlacementService,
    private readonly activity: ActivityService,
    private readonly contentChanges: ContentChangeRepository,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /** Lists the items that can be restored, last deleted first. */
  async listEntries(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<TrashEntryDto>> {
    const rows = await this.trash.listEntries(zoneId, limit + 1, cursor);
    const page = toPage(rows, limit, await this.trash.countEntries(zoneId), ({ entryId }) => [entryId]);
    const paths = await this.tree.findFolderPaths(page.items.flatMap(({ placeId }) => placeId ?? []));
    return { ...page, items: page.items.map((row) => toEntryDto(row, paths)) };
  }

  /**
   * Restores trash entries, either all of them or none. If a name has been taken in the meantime, the restored item
   * becomes "name (1)".
   * @throws TRASH_NOT_FOUND if one of them is not in the trash or is being purged
   */
  async restoreEntries(
    { zoneId, ownerId }: Pick<AccessZone, 'zoneId' | 'ownerId'>,
    userId: number,
    request: RestoreRequest,
  ) {
    return inTransaction(this.em, async (em): Promise<RestoredDto[]> => {
      const zoneName = await this.placement.lockZone(em, zoneId, 'tree');
      const entries = await this.removeEntries(em, zoneId, request);
      const folders: RestoredDto[] = [];
      const restoredCounts = { files: 0, folders: 0 };
      for (const entry of entries.filter(({ folderId }) => folderId !== null)) {
        const { restored, counts } = await this.restoreFolder(em, zoneId, entry.folderId!, entry.trashId);
        folders.push(restored);
        restoredCounts.files += counts.files;
        restoredCounts.folders += counts.folders;
      }
      const files = await this.restoreFiles(
        em,
        zoneId,
        entries.flatMap(({ fileId }) => fileId ?? []),
      );
      await this.activity.record(
        em,
        ...createItemEntries('restored', { ownerId, zoneId, zoneName, userId }, { files, folders }),
      );
      const parentIds = [...folders, ...files].map(({ folderId }) => folderId);
      const subtreeIds = folders.map(({ id }) => id);
      await this.contentChanges.markContentChanged(em, {
        zoneId,
        folderIds: parentIds,
        subtreeIds,
        at: this.clock.now(),
      });
      await this.zoneStats.adjustCounts(em, zoneId, {
        folders: restoredCounts.folders,
        files: restoredCounts.files + files.length,
      });
      return [...folders, ...files];
    });
  }

  /**
   * Removes the entries from the trash, last deleted first: an item's folder can only have been deleted after the item
   * itself.
   */
  private async removeEntries(em: EntityManager, zoneId: number, { fileIds, folderIds, trashId }: RestoreRequest) {
    if (fileIds.length + folderIds.length === 0 && trashId === null) throw fileErrors.NOTHING_CHOSEN();
    const rows = await this.trash.deleteEntries(em, zoneId, { fileIds, folderIds, trashId });
    const [gotFiles, gotFolders] = [new Set(rows.map((row) => row.fileId)), new Set(rows.map((row) => row.folderId))];
    const isComplete = fileIds.every((id) => gotFiles.has(id)) && folderIds.every((id) => gotFolders.has(id));
    if (!isComplete || (trashId !== null && !rows.some((row) => row.trashId === trashId))) {
      throw fileErrors.TRASH_NOT_FOUND();
    }
    return rows.sort((a, b) => b.id - a.id);
  }

  private async restoreFolder(em: EntityManager, zoneId: number, id: number, trashId: string) {
    const parent = await this.resolveParent(em, id, trashId);
    const names = await this.placement.findFreeNames(em, zoneId, parent.parentId, [parent.name], 'folder');
    const place = { name: names[0]!, parentId: parent.parentId };
    const counts = await this.trash.restoreFolder(em, id, trashId, place);
    const restored: RestoredDto = { kind: 'folder', id, name: place.name, folderId: place.parentId };
    return { restored, counts };
  }

  /** Determines where a folder can be restored: under its parent, if that exists and the maximum depth allows it. */
  private async resolveParent(em: EntityManager, id: number, trashId: string) {
    const { name, parentId, depth, height } = await this.trash.findParent(em, id, trashId);
    return { name, parentId: depth + height > MAX_DEPTH ? null : parentId };
  }

  private async restoreFiles(em: EntityManager, zoneId: number, ids: number[]): Promise<RestoredDto[]> {
    if (ids.length === 0) return [];
    const restored: RestoredDto[] = [];
    const byFolder = Map.groupBy(await this.trash.findFiles(em, ids), ({ folderId }) => folderId);
    for (const [folderId, files] of byFolder) {
      const names = await this.placement.findFreeNames(
        em,
        zoneId,
        folderId,
        files.map(({ name }) => name),
      );
      const named = files.map(({ id }, index) => ({ id, name: names[index]! }));
      if (folderId === null) await this.requests.keepAtRoot(em, { by: 'file_id', ids: files.map(({ id }) => id) });
      await this.trash.restoreFiles(em, folderId, named);
      restored.push(...named.map((file) => ({ kind: 'file' as const, ...file, folderId })));
    }
    return restored;
  }
}

function toEntryDto(row: TrashEntryRow, paths: ReadonlyMap<number, FolderPathDto[]>): TrashEntryDto {
  const path = row.placeId === null ? [] : (paths.get(row.placeId) ?? []);
  return {
    kind: row.fileId === null ? 'folder' : 'file',
    id: (row.fileId ?? row.folderId)!,
    trashId: row.trashId,
    name: row.name,
    mimeType: row.mimeType,
    fileCount: row.fileCount,
    size: row.size,
    location: path.map(({ name }) => name),
    deletedBy: fullName(row) || row.username,
    deletedAt: row.deletedAt,
    purgesAt: addMilliseconds(row.deletedAt, TRASH_LIFETIME),
  };
}
