import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { TransferUndoneDto } from '../dto/transfer.dto.js';
import type { TransferredItem } from '../entities/transfer.entity.js';
import { fileErrors } from '../files.errors.js';
import { expireTransfers } from '../files.jobs.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ItemTreeRepository, type ItemKind, type NamedItem } from '../shared/item-tree.repository.js';
import { ItemTrashService } from '../trash/item-trash.service.js';
import { TrashRestoreService } from '../trash/trash-restore.service.js';
import { ItemTransferService, type LockedZone, type Relocation } from './item-transfer.service.js';
import { TransferRepository, type NewTransfer } from './transfer.repository.js';
import { TransferTargetService } from './transfer-target.service.js';

/** An item that goes back to its former folder, under its former name unless it was renamed in the meantime. */
interface ReturningItem extends NamedItem {
  /** Null at the root. */
  readonly formerFolderId: number | null;
  readonly currentFolderId: number | null;
}

/** Undoes copies, and moves between zones, for the person who made them. */
@Injectable()
export class TransferUndoService {
  constructor(
    private readonly em: EntityManager,
    private readonly transfers: TransferRepository,
    private readonly target: TransferTargetService,
    private readonly itemTransfer: ItemTransferService,
    private readonly tree: ItemTreeRepository,
    private readonly placement: ItemPlacementService,
    private readonly itemTrash: ItemTrashService,
    private readonly trashRestore: TrashRestoreService,
  ) {}

  /**
   * Moves the items back to their former folders, or to the root if those are gone; copies go to the trash. Items that
   * were deleted or moved to a third zone in the meantime are left where they are. Then restores what was replaced.
   * @throws UNDO_EXPIRED after 30 minutes, a second time, and for other people; errors of `TransferTargetService.findZone`
   * and `ItemTransferService.relocate`
   */
  async undoTransfer(id: string, userId: number): Promise<TransferUndoneDto> {
    const transfer = isUUID(id) ? await this.transfers.findTransfer(this.em, id, userId) : null;
    if (!transfer) throw fileErrors.UNDO_EXPIRED();
    const zone = await this.target.findZone(transfer.targetZoneId, userId);
    const undone = transfer.kind === 'copy' ? await this.undoCopy(transfer, zone) : await this.undoMove(transfer, zone);
    await this.restoreReplaced(transfer, zone);
    return undone;
  }

  @OnJob(expireTransfers)
  async deleteExpired(): Promise<void> {
    await this.transfers.deleteExpired(this.em.fork());
  }

  private undoCopy({ id, userId, items }: NewTransfer, zone: AccessibleZone): Promise<TransferUndoneDto> {
    return inTransaction(this.em, async (em) => {
      await this.target.lockZones(em, [zone.id]);
      if (!(await this.transfers.deleteTransfer(em, id))) throw fileErrors.UNDO_EXPIRED();
      const { files, folders } = await this.findRemaining(em, zone.id, items);
      if (files.length + folders.length === 0) return { files: 0, folders: 0 };
      const ids = { fileIds: files.map((file) => file.id), folderIds: folders.map((folder) => folder.id) };
      const trashed = await this.itemTrash.moveToTrash(toAccessZone(zone), userId, ids);
      return { files: trashed.files, folders: trashed.folders };
    });
  }

  private async undoMove({ id, userId, ...transfer }: NewTransfer, zone: AccessibleZone): Promise<TransferUndoneDto> {
    await this.target.findZone(transfer.sourceZoneId, userId, zone.ownerId);
    return inTransaction(this.em, async (em) => {
      const { from, to } = await this.itemTransfer.lockZones(em, zone.id, transfer.sourceZoneId);
      if (!(await this.transfers.deleteTransfer(em, id))) throw fileErrors.UNDO_EXPIRED();
      const { files, folders } = await this.findRemaining(em, zone.id, transfer.items);
      if (files.length + folders.length === 0) return { files: 0, folders: 0 };
      const relocations = await this.planReturn(em, to, { files, folders });
      const formerFolderIds = [...files, ...folders].map(({ currentFolderId }) => currentFolderId);
      const context = { from, to, ownerId: zone.ownerId, userId, formerFolderIds, replaced: null };
      const moved = await this.itemTransfer.relocate(em, context, relocations);
      return { files: moved.files, folders: moved.folders };
    });
  }

  /** Returns the items that are still in the zone, and not in the trash. */
  private async findRemaining(em: EntityManager, zoneId: number, items: NewTransfer['items']) {
    const idsOf = (list: readonly TransferredItem[]) => list.map(({ id }) => id);
    const files = await this.tree.findFiles(em, zoneId, idsOf(items.files));
    const folders = await this.tree.findFolders(em, zoneId, idsOf(items.folders));
    const folderRows = folders.map(({ parentId, ...folder }) => ({ ...folder, folderId: parentId }));
    return { files: toReturning(items.files, files), folders: toReturning(items.folders, folderRows) };
  }

  /** Finds the former folders that still exist, and names that are free there. */
  private async planReturn(
    em: EntityManager,
    { id: zoneId }: LockedZone,
    { files, folders }: Record<'files' | 'folders', readonly ReturningItem[]>,
  ): Promise<Relocation[]> {
    const placedFolders = await this.groupByFolder(em, zoneId, folders, 'folder');
    const placedFiles = await this.groupByFolder(em, zoneId, files, 'file');
    const folderIds = new Set([...placedFolders.keys(), ...placedFiles.keys()]);
    return [...folderIds].map((folderId) => ({
      folderId,
      items: { files: placedFiles.get(folderId) ?? [], folders: placedFolders.get(folderId) ?? [] },
    }));
  }

  private async groupByFolder(
    em: EntityManager,
    zoneId: number,
    items: readonly ReturningItem[],
    kind: ItemKind,
  ): Promise<Map<number | null, NamedItem[]>> {
    const folderIds = new Map<number, number | null>();
    for (const item of items) folderIds.set(item.id, await this.findFormerFolder(em, zoneId, item, kind));
    const placed = new Map<number | null, NamedItem[]>();
    for (const [folderId, group] of Map.groupBy(items, ({ id }) => folderIds.get(id) ?? null)) {
      const names = group.map(({ name }) => name);
      const free = await this.placement.findFreeNames(em, zoneId, folderId, names, kind);
      placed.set(
        folderId,
        group.map(({ id }, index) => ({ id, name: free[index]! })),
      );
    }
    return placed;
  }

  /** Returns the former folder of an item; the root if that is gone, or would have too many levels now. */
  private async findFormerFolder(
    em: EntityManager,
    zoneId: number,
    { id, formerFolderId: folderId }: ReturningItem,
    kind: ItemKind,
  ): Promise<number | null> {
    const depth = folderId === null ? null : await this.tree.findFolderDepth(em, zoneId, folderId);
    if (depth === null) return null;
    const height = kind === 'file' ? 0 : await this.tree.measureHeight(em, [id]);
    return depth + height > MAX_DEPTH ? null : folderId;
  }

  /** In a transaction of its own: if somebody has restored or purged the items, the rest is undone nevertheless. */
  private async restoreReplaced({ trashId, userId }: NewTransfer, zone: AccessibleZone): Promise<void> {
    if (trashId === null) return;
    try {
      await this.trashRestore.restoreEntries(toAccessZone(zone), userId, { fileIds: [], folderIds: [], trashId });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TRASH_NOT_FOUND') throw error;
    }
  }
}

/** @param current the rows of the items that are still there */
function toReturning(
  items: readonly TransferredItem[],
  current: readonly (NamedItem & { readonly folderId: number | null })[],
): ReturningItem[] {
  const rows = new Map(current.map((row) => [row.id, row]));
  return items.flatMap(({ id, name, newName, folderId: formerFolderId }) => {
    const row = rows.get(id);
    if (!row) return [];
    return [{ id, name: row.name === newName ? name : row.name, formerFolderId, currentFolderId: row.folderId }];
  });
}

function toAccessZone(zone: AccessibleZone) {
  return { zoneId: zone.id, ownerId: zone.ownerId, role: zone.role };
}
