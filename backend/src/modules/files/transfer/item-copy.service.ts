import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, MINUTE } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { Storage } from '../../../platform/storage/storage.js';
import { ActivityService } from '../../activity/activity.service.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { TransferredDto } from '../dto/transfer.dto.js';
import { fileErrors } from '../files.errors.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import { createTransferEntries } from '../shared/item-activity.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { ItemSelectionService, type ItemIds } from '../tree/item-selection.service.js';
import { FileUploadService } from '../upload/file-upload.service.js';
import { UploadReservationService, type Reservation } from '../upload/upload-reservation.service.js';
import { TransferRepository, type SourceFile, type SourceFolder } from './transfer.repository.js';
import { TransferTargetService, type NamedItems, type TransferRequest } from './transfer-target.service.js';

/** Maximum number of files per request, those in folders included: their objects are copied before the response. */
const MAX_COPIED_FILES = 500;
/** Objects copied at the same time. */
const CONCURRENT_COPIES = 8;
/** How often the leases of the reservations are renewed. */
const EXTEND_INTERVAL = 3 * MINUTE;

/** What a request copies, as it was when the request arrived. */
interface CopyPlan {
  /** The selected items. */
  readonly items: NamedItems;
  readonly folders: readonly SourceFolder[];
  readonly files: readonly SourceFile[];
  /** Bytes. */
  readonly size: number;
}

interface CopyContext {
  readonly source: AccessibleZone;
  readonly userId: number;
  readonly request: TransferRequest;
}

/**
 * Copies files and folders within a zone or to another zone of the same owner, either all of them or none. A copy has the
 * current content and the permissions of the original, and no earlier versions.
 */
@Injectable()
export class ItemCopyService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly target: TransferTargetService,
    private readonly transfers: TransferRepository,
    private readonly tree: ItemTreeRepository,
    private readonly placement: ItemPlacementService,
    private readonly itemSelection: ItemSelectionService,
    private readonly uploadReservation: UploadReservationService,
    private readonly fileUpload: FileUploadService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly activity: ActivityService,
    private readonly contentChanges: ContentChangeRepository,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /**
   * Copies items with their content. Their bytes are reserved before the first object is copied.
   * @throws errors of `TransferTargetService` and `ItemSelectionService`; TOO_MANY_TO_TRANSFER, FOLDER_TOO_DEEP;
   * PLAN_LIMIT (ZONE_FULL for everyone but the owner); UPLOAD_EXPIRED, STORAGE_UNAVAILABLE, DISK_FULL. Nothing is stored
   * then.
   */
  async copyItems(
    source: AccessibleZone,
    userId: number,
    items: ItemIds,
    request: TransferRequest,
  ): Promise<TransferredDto> {
    const context = { source, userId, request };
    await this.target.findZone(request.targetZoneId, userId, source.ownerId);
    const plan = await this.planCopy(context, items);
    if (plan.items.files.length + plan.items.folders.length === 0) return { files: 0, folders: 0, undoId: null };
    const reservations = await this.zoneCapacity.translatePlanLimit(source.ownerId, userId, () =>
      this.reserveCopies(source.ownerId, plan),
    );
    try {
      await this.copyObjects(plan.files, reservations);
      return await inTransaction(this.em, (em) => this.insertCopies(em, context, plan, reservations));
    } catch (error) {
      await this.uploadReservation.abandonFailed(this.em, reservations, error);
      throw error;
    }
  }

  /** Lists what is copied, while the tree of the source can't change. */
  private planCopy({ source, userId, request }: CopyContext, selection: ItemIds): Promise<CopyPlan> {
    const { targetZoneId, targetFolderId: folderId, onConflict } = request;
    return inTransaction(this.em, async (em) => {
      await this.placement.lockZone(em, source.id, 'files');
      const depth = await this.itemSelection.getTargetDepth(targetZoneId, userId, folderId);
      const selected = await this.itemSelection.findSelected(em, source.id, userId, selection);
      if (selected.folders.some(({ isMirror }) => isMirror)) throw fileErrors.MIRROR_READ_ONLY();
      const items = await this.target.findPlaceable(em, { zoneId: targetZoneId, folderId, onConflict }, selected);
      const fileIds = items.files.map(({ id }) => id);
      const folderIds = items.folders.map(({ id }) => id);
      const folders = await this.transfers.listFolders(em, folderIds);
      assertNotTooDeep(depth, folders);
      const files = await this.transfers.listFiles(em, { fileIds, folderIds }, MAX_COPIED_FILES + 1);
      if (files.length > MAX_COPIED_FILES) throw fileErrors.TOO_MANY_TO_TRANSFER({ allowed: MAX_COPIED_FILES });
      return { items, folders, files, size: files.reduce((sum, { size }) => sum + size, 0) };
    });
  }

  /** Reserves all bytes with the first reservation: they are committed or released together. */
  private reserveCopies(ownerId: number, { files, size }: CopyPlan): Promise<Reservation[]> {
    return inTransaction(this.em, async (em) => {
      const reservations: Reservation[] = [];
      for (let count = 0; count < files.length; count++) {
        reservations.push(await this.uploadReservation.createReservation(em, ownerId));
      }
      if (size > 0) await this.uploadReservation.reserveBytes(em, reservations[0]!, size, size);
      return reservations;
    });
  }

  /** Returns after all copies have ended, also if one fails, so that no object appears after its reservation is gone. */
  private async copyObjects(files: readonly SourceFile[], reservations: readonly Reservation[]): Promise<void> {
    const remaining = [...files.entries()];
    let extendedAt = this.clock.now().getTime();
    const copyNext = async (): Promise<void> => {
      for (let next = remaining.shift(); next; next = remaining.shift()) {
        const [index, { objectKey }] = next;
        const now = this.clock.now().getTime();
        if (now - extendedAt > EXTEND_INTERVAL) {
          extendedAt = now;
          await this.uploadReservation.extendLeases(this.em.fork(), reservations);
        }
        await this.storage.copy(objectKey, reservations[index]!.objectKey);
      }
    };
    const copying = Array.from({ length: CONCURRENT_COPIES }, () =>
      copyNext().catch((error: unknown) => {
        remaining.length = 0;
        throw error;
      }),
    );
    const failed = (await Promise.allSettled(copying)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  private async insertCopies(
    em: EntityManager,
    { source, userId, request }: CopyContext,
    plan: CopyPlan,
    reservations: readonly Reservation[],
  ): Promise<TransferredDto> {
    const { targetZoneId: zoneId, targetFolderId: folderId, onConflict } = request;
    const { ownerId } = source;
    const names = await this.target.lockZones(em, [source.id, zoneId]);
    const [zoneName, targetZoneName] = [names.get(source.id)!, names.get(zoneId)!];
    assertNotTooDeep(await this.itemSelection.getTargetDepth(zoneId, userId, folderId), plan.folders);
    const target = { zoneId, ownerId, zoneName: targetZoneName, folderId, onConflict };
    const placed = await this.target.placeItems(em, target, userId, plan.items);
    const folderIdOf = await this.insertFolders(em, target, userId, plan.folders, placed);
    const fileNames = new Map(placed.files.map(({ id, name }) => [id, name]));
    const stored = plan.files.map((file, index) => ({
      ...file,
      objectKey: reservations[index]!.objectKey,
      reservation: reservations[index]!,
      folderId: file.topId === null ? folderId : folderIdOf(file.topId, file.folderId!),
      name: file.topId === null ? fileNames.get(file.id)! : file.name,
    }));
    const origin = { zoneId, userId, storageType: this.storage.type };
    const ids = await this.transfers.insertCopies(em, origin, stored);
    await this.fileUpload.enqueuePreviewJobs(em, ids, stored);
    const toItem = (id: number, name: string) => ({ id, name, newName: name, folderId });
    const copies = {
      files: stored.flatMap(({ topId, name }, index) => (topId === null ? [toItem(ids[index]!, name)] : [])),
      folders: placed.folders.map(({ id, name }) => toItem(folderIdOf(id, id), name)),
    };
    const undoId = await this.target.recordTransfer(em, {
      kind: 'copy',
      userId,
      sourceZoneId: source.id,
      targetZoneId: zoneId,
      items: copies,
      trashId: placed.replaced?.trashId ?? null,
    });
    const context = { ownerId, userId, zoneName, targetZoneName };
    await this.activity.record(em, ...createTransferEntries('copied', context, [source.id, zoneId], copies));
    await this.contentChanges.markContentChanged(em, {
      zoneId,
      folderIds: [folderId],
      subtreeIds: placed.replaced?.folderIds ?? [],
      at: this.clock.now(),
    });
    const [files, folders] = [ids.length, plan.folders.length];
    await this.zoneStats.adjustCounts(em, zoneId, {
      files: files - (placed.replaced?.files ?? 0),
      folders: folders - (placed.replaced?.folders ?? 0),
      bytes: plan.size,
    });
    if (files > 0) await this.uploadReservation.commit(em, ownerId, reservations, plan.size);
    return { files, folders, undoId };
  }

  /**
   * Inserts the copies of folders level by level.
   * @returns finds the copy of a folder, which is made once for each selected folder above it
   */
  private async insertFolders(
    em: EntityManager,
    { zoneId, folderId }: { zoneId: number; folderId: number | null },
    createdById: number,
    folders: readonly SourceFolder[],
    placed: NamedItems,
  ): Promise<(topId: number, id: number) => number> {
    const topNames = new Map(placed.folders.map(({ id, name }) => [id, name]));
    const copyIds = new Map<string, number>();
    const keyOf = (topId: number, id: number) => `${topId} ${id}`;
    const findCopy = (topId: number, id: number) => copyIds.get(keyOf(topId, id))!;
    for (const level of Map.groupBy(folders, (folder) => folder.level).values()) {
      const places = level.map(({ id, topId, parentId, name }) => ({
        key: keyOf(topId, id),
        parentId: parentId === null ? folderId : findCopy(topId, parentId),
        name: parentId === null ? topNames.get(id)! : name,
      }));
      const inserted = await this.tree.insertFolders(em, { zoneId, createdById, at: this.clock.now() }, places);
      const idOf = new Map(inserted.map(({ id, parentId, name }) => [`${parentId} ${name}`, id]));
      for (const { key, parentId, name } of places) copyIds.set(key, idOf.get(`${parentId} ${name}`)!);
    }
    return findCopy;
  }
}

function assertNotTooDeep(depth: number, folders: readonly SourceFolder[]): void {
  const height = Math.max(0, ...folders.map(({ level }) => level));
  if (depth + height > MAX_DEPTH) throw fileErrors.FOLDER_TOO_DEEP({ allowed: MAX_DEPTH });
}
