import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { TransferredDto } from '../dto/transfer.dto.js';
import type { TransferredItem } from '../entities/transfer.entity.js';
import { fileErrors } from '../files.errors.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import { createTransferEntries } from '../shared/item-activity.js';
import { FileRequestRepository } from '../requests/file-request.repository.js';
import { ItemTreeRepository, type NamedItem } from '../shared/item-tree.repository.js';
import { ItemSelectionService, type ItemIds, type SelectedItems } from '../tree/item-selection.service.js';
import { UploadRepository } from '../upload/upload.repository.js';
import { TransferRepository } from './transfer.repository.js';
import {
  TransferTargetService,
  type NamedItems,
  type PlacedItems,
  type TransferRequest,
} from './transfer-target.service.js';

/** Maximum number of files per request, those in folders included: their rows are locked until the commit. */
const MAX_MOVED_FILES = 10_000;

/** A zone whose tree is locked. */
export interface LockedZone {
  readonly id: number;
  readonly name: string;
}

/** Items that get a new zone, and the folder there. */
export interface Relocation {
  readonly folderId: number | null;
  /** Under the names that they get. */
  readonly items: NamedItems;
}

interface RelocationContext {
  readonly from: LockedZone;
  readonly to: LockedZone;
  readonly ownerId: number;
  readonly userId: number;
  /** Their folders in the zone that they leave; null is the root. */
  readonly formerFolderIds: readonly (number | null)[];
  readonly replaced: PlacedItems['replaced'];
}

/**
 * Moves files and folders to another zone of the same owner, either all of them or none. They keep their ids, figures,
 * versions and mirrors.
 */
@Injectable()
export class ItemTransferService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly target: TransferTargetService,
    private readonly transfers: TransferRepository,
    private readonly tree: ItemTreeRepository,
    private readonly requests: FileRequestRepository,
    private readonly itemSelection: ItemSelectionService,
    private readonly uploads: UploadRepository,
    private readonly activity: ActivityService,
    private readonly contentChanges: ContentChangeRepository,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /**
   * Moves items to another zone.
   * @throws SAME_ZONE; errors of `TransferTargetService`, `ItemSelectionService` and `relocate`; FOLDER_TOO_DEEP
   */
  async transferItems(
    source: AccessibleZone,
    userId: number,
    items: ItemIds,
    { targetZoneId, targetFolderId: folderId, onConflict }: TransferRequest,
  ): Promise<TransferredDto> {
    if (targetZoneId === source.id) throw fileErrors.SAME_ZONE();
    const { ownerId } = await this.target.findZone(targetZoneId, userId, source.ownerId);
    return inTransaction(this.em, async (em) => {
      const { from, to } = await this.lockZones(em, source.id, targetZoneId);
      const depth = await this.itemSelection.getTargetDepth(to.id, userId, folderId);
      const selected = await this.withoutNested(em, await this.itemSelection.findSelected(em, from.id, userId, items));
      if (selected.folders.some(({ isMirror }) => isMirror)) throw fileErrors.MIRROR_READ_ONLY();
      const target = { zoneId: to.id, ownerId, zoneName: to.name, folderId, onConflict };
      const placeable = await this.target.findPlaceable(em, target, selected);
      if (placeable.files.length + placeable.folders.length === 0) return { files: 0, folders: 0, undoId: null };
      const placed = await this.target.placeItems(em, target, userId, placeable);
      const folders = selected.folders.map(({ id, name, parentId }) => ({ id, name, folderId: parentId }));
      const moved = {
        files: withNewNames(selected.files, placed.files),
        folders: withNewNames(folders, placed.folders),
      };
      const undoId = await this.target.recordTransfer(em, {
        kind: 'move',
        userId,
        sourceZoneId: from.id,
        targetZoneId: to.id,
        items: moved,
        trashId: placed.replaced?.trashId ?? null,
      });
      const formerFolderIds = [...moved.files, ...moved.folders].map((item) => item.folderId);
      const context = { from, to, ownerId, userId, formerFolderIds, replaced: placed.replaced };
      const { height, ...counts } = await this.relocate(em, context, [{ folderId, items: placed }]);
      if (depth + height > MAX_DEPTH) throw fileErrors.FOLDER_TOO_DEEP({ allowed: MAX_DEPTH });
      return { ...counts, undoId };
    });
  }

  /** Leaves out what is in a selected folder: it stays there, and the folder takes it along. */
  private async withoutNested(em: EntityManager, { files, folders }: SelectedItems): Promise<SelectedItems> {
    const folderIds = folders.map(({ id }) => id);
    const subtreeIds = new Set<number | null>(await this.transfers.findSubtree(em, folderIds));
    return {
      files: files.filter(({ folderId }) => !subtreeIds.has(folderId)),
      folders: folders.filter(({ parentId }) => !subtreeIds.has(parentId)),
    };
  }

  /** Locks both zones, and before them the uploads that may follow their folders. */
  async lockZones(em: EntityManager, fromId: number, toId: number): Promise<{ from: LockedZone; to: LockedZone }> {
    await this.uploads.lockResumable(em, fromId);
    const names = await this.target.lockZones(em, [fromId, toId]);
    return { from: { id: fromId, name: names.get(fromId)! }, to: { id: toId, name: names.get(toId)! } };
  }

  /**
   * Moves items with their content to a locked zone. Locks the counters of both zones, so the transaction should do
   * little afterwards.
   * @returns the numbers of moved files and folders, and the levels of the highest folder
   * @throws MIRRORED_THERE if a folder would move into a zone that mirrors it; TOO_MANY_TO_TRANSFER
   */
  async relocate(
    em: EntityManager,
    { from, to, ownerId, userId, formerFolderIds, replaced }: RelocationContext,
    relocations: readonly Relocation[],
  ): Promise<{ files: number; folders: number; height: number }> {
    const items = {
      files: relocations.flatMap((relocation) => relocation.items.files),
      folders: relocations.flatMap((relocation) => relocation.items.folders),
    };
    const folderIds = items.folders.map(({ id }) => id);
    const subtreeIds = await this.transfers.findSubtree(em, folderIds);
    const mirrored = await this.transfers.findMirroredName(em, subtreeIds, to.id);
    if (mirrored !== null) throw fileErrors.MIRRORED_THERE({ name: mirrored });
    const fileIds = items.files.map(({ id }) => id);
    const { files, bytes } = await this.transfers.measureFiles(em, fileIds, subtreeIds);
    if (files > MAX_MOVED_FILES) throw fileErrors.TOO_MANY_TO_TRANSFER({ allowed: MAX_MOVED_FILES });
    for (const relocation of relocations) {
      await this.transfers.moveFiles(em, to.id, relocation.folderId, relocation.items.files);
      await this.transfers.moveFolders(em, to.id, relocation.folderId, relocation.items.folders);
    }
    await this.requests.clearAtRoot(em, fileIds);
    await this.requests.keepAtRoot(em, { by: 'folder_id', ids: subtreeIds });
    await this.transfers.moveContent(em, to.id, subtreeIds);
    await this.uploads.moveResumable(em, from.id, to.id);
    const height = folderIds.length === 0 ? 0 : await this.tree.measureHeight(em, folderIds);
    const context = { ownerId, userId, zoneName: from.name, targetZoneName: to.name };
    await this.activity.record(em, ...createTransferEntries('transferred', context, [from.id, to.id], items));
    const folders = subtreeIds.length;
    await this.contentChanges.markContentChanged(em, {
      zoneId: to.id,
      sourceZoneId: from.id,
      folderIds: [...relocations.map(({ folderId }) => folderId), ...formerFolderIds],
      subtreeIds: [...folderIds, ...(replaced?.folderIds ?? [])],
      at: this.clock.now(),
    });
    await this.zoneStats.adjustCounts(em, from.id, { files: -files, folders: -folders, bytes: -bytes });
    await this.zoneStats.adjustCounts(em, to.id, {
      files: files - (replaced?.files ?? 0),
      folders: folders - (replaced?.folders ?? 0),
      bytes,
    });
    return { files, folders, height };
  }
}

/** Returns the items that got a place, with the names there. */
function withNewNames(
  items: readonly { readonly id: number; readonly name: string; readonly folderId: number | null }[],
  placed: readonly NamedItem[],
): TransferredItem[] {
  const newNames = new Map(placed.map(({ id, name }) => [id, name]));
  return items.flatMap(({ id, name, folderId }) => {
    const newName = newNames.get(id);
    return newName === undefined ? [] : [{ id, name, newName, folderId }];
  });
}
