import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { Storage } from '../../../platform/storage/storage.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import type {} from '../files.events.js';
import { fileErrors } from '../files.errors.js';
import { DocumentService } from '../pages/document.service.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import { extensionOf } from '../shared/file-name.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ThumbnailService } from '../thumbnails/thumbnail.service.js';
import { FileUploadService, type StoredFile, type UploadDestination } from './file-upload.service.js';
import { FileRepository } from './file.repository.js';
import { RequestReservations } from './request-reservations.js';
import { UploadReservationService } from './upload-reservation.service.js';

/** The file to replace; the user must be allowed to manage it in its own zone. */
export interface ReplacementTarget {
  readonly fileId: number;
  readonly zoneId: number;
  readonly ownerId: number;
  readonly userId: number;
  /** Version that the file must still have; null: any. */
  readonly ifVersion: number | null;
  readonly activity: 'file.replaced' | 'file.version_restored';
  /** Content that the file has already is no new version, so that a repeated request changes nothing. */
  readonly skipsUnchanged?: boolean;
}

export interface NewContent {
  /** Name of the uploaded file; only its extension matters. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Maximum size of the file, in bytes. */
  readonly maxFileBytes: number;
  /** Upper bound of the bytes that arrive, if known. */
  readonly maxBytes: number | null;
  /** SHA-256 that the bytes must have, hexadecimal, if known. */
  readonly sha256?: string;
}

/**
 * Replaces the contents of files. The row of the file stays, with its id, name, place and figures; its content becomes
 * an earlier version (ADR 0056).
 */
@Injectable()
export class FileReplacementService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly files: FileRepository,
    private readonly placement: ItemPlacementService,
    private readonly tree: ItemTreeRepository,
    private readonly storage: Storage,
    private readonly uploadReservation: UploadReservationService,
    private readonly fileUpload: FileUploadService,
    private readonly document: DocumentService,
    private readonly thumbnail: ThumbnailService,
    private readonly activity: ActivityService,
    private readonly events: EventBus,
    private readonly contentChanges: ContentChangeRepository,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /**
   * Saves stored objects as files, in the caller's transaction, either all of them or none; see `createFiles`.
   * @returns the ids in the given order
   * @throws errors of `createFiles` and `replaceContent`
   */
  async saveFiles(em: EntityManager, target: UploadDestination, stored: readonly StoredFile[]): Promise<number[]> {
    const { location, userId } = target;
    if (target.onConflict !== 'replace' || userId === null) return this.fileUpload.createFiles(em, target, stored);
    const { zoneId, ownerId, folderId } = location;
    // Other changes of the zone wait: files are locked here after the usage, which is locked for each of them.
    await this.placement.lockZone(em, zoneId, 'tree');
    const existingIds = await this.findIdsByName(em, zoneId, folderId, stored);
    const ids: number[] = [];
    for (const [index, file] of stored.entries()) {
      const fileId = existingIds[index];
      if (fileId === undefined) continue;
      const replacement = { fileId, zoneId, ownerId, userId, ifVersion: null, activity: 'file.replaced' } as const;
      await this.replaceContent(em, { ...replacement, skipsUnchanged: true }, file);
      ids[index] = fileId;
    }
    const newFiles = stored.filter((_, index) => existingIds[index] === undefined);
    if (newFiles.length === 0) return ids;
    const createdIds = await this.fileUpload.createFiles(em, { ...target, onConflict: 'rename' }, newFiles);
    return stored.map((_, index) => ids[index] ?? createdIds.shift()!);
  }

  /** Returns the ids of the files that have these names; undefined for a name that is free or repeated. */
  private async findIdsByName(
    em: EntityManager,
    zoneId: number,
    folderId: number | null,
    stored: readonly StoredFile[],
  ): Promise<(number | undefined)[]> {
    const places = stored.map(({ name }) => ({ parentId: folderId, name }));
    const existing = await this.tree.findChildFiles(em, zoneId, places);
    const idByKey = new Map(existing.map(({ id, name }) => [normaliseForComparison(name), id]));
    return stored.map(({ name }) => {
      const key = normaliseForComparison(name);
      const id = idByKey.get(key);
      idByKey.delete(key);
      return id;
    });
  }

  /**
   * Stores new bytes and makes them the content of a file.
   * @throws FILE_TOO_LARGE, PLAN_LIMIT, STORAGE_UNAVAILABLE; errors of the source and of `replaceContent`. Nothing is
   * stored then.
   */
  async storeAndReplace(target: ReplacementTarget, content: NewContent): Promise<void> {
    const em = this.em.fork();
    const reserved = new RequestReservations(
      em,
      this.uploadReservation,
      this.clock,
      content.maxFileBytes,
      content.maxBytes,
    );
    try {
      const stored = await this.fileUpload.storeReserved(reserved, target.ownerId, content.name, content.bytes);
      if (content.sha256 !== undefined && stored.sha256 !== content.sha256) throw storageErrors.STORAGE_UNAVAILABLE();
      await inTransaction(em, (em) => this.replaceContent(em, target, stored));
    } catch (error) {
      await this.uploadReservation.abandonFailed(em, reserved.opened, error);
      throw error;
    }
  }

  /**
   * Makes a stored object the content of a file, in the caller's transaction. Deletes the pages, texts and thumbnail of
   * the earlier content and enqueues new ones. It commits the reservation and locks the owner's plan usage, so the
   * transaction should do little afterwards.
   * @throws FILE_NOT_FOUND, FILE_CHANGED, FILE_TYPE_DIFFERS, ZONE_NOT_FOUND; UPLOAD_EXPIRED if the reservation was
   * cleaned up in the meantime
   */
  async replaceContent(em: EntityManager, target: ReplacementTarget, stored: StoredFile): Promise<void> {
    const { fileId, zoneId, ownerId, userId, ifVersion } = target;
    const zoneName = await this.placement.lockZone(em, zoneId, 'files');
    const current = await this.files.lockContent(em, fileId, zoneId);
    if (!current) throw fileErrors.FILE_NOT_FOUND();
    const { name: fileName, folderId } = current;
    if (ifVersion !== null && ifVersion !== current.version) throw fileErrors.FILE_CHANGED();
    if (target.skipsUnchanged && current.sha256 === stored.sha256 && current.size === stored.size) {
      await this.uploadReservation.abandonUpload(em, stored.reservation);
      return;
    }
    if (!isSameKind(current, stored)) throw fileErrors.FILE_TYPE_DIFFERS({ name: fileName });
    const at = this.clock.now();
    await this.files.replaceContent(em, fileId, { ...stored, userId, storageType: this.storage.type, at });
    await this.document.deleteStale(em, { fileId, objectKey: stored.objectKey });
    await this.thumbnail.deleteThumbnail(em, fileId);
    await this.fileUpload.enqueuePreviewJobs(em, [fileId], [stored]);
    const params = { zoneName, fileName };
    await this.activity.record(em, { type: target.activity, ownerId, zoneId, userId, fileId, params });
    await this.events.emit(em, 'file.replaced', { fileId, zoneId, userId, version: current.version + 1 });
    await this.contentChanges.markContentChanged(em, { zoneId, folderIds: [folderId], at });
    await this.zoneStats.adjustCounts(em, zoneId, { bytes: stored.size });
    await this.uploadReservation.commit(em, ownerId, [stored.reservation], stored.size);
  }
}

interface TypedContent {
  readonly name: string;
  readonly mimeType: string;
}

/** Whether content fits a file, whose name stays: its extension must not become wrong. */
function isSameKind(file: TypedContent, content: TypedContent): boolean {
  const extension = ({ name }: TypedContent) => normaliseForComparison(extensionOf(name));
  return extension(file) === extension(content) || file.mimeType === content.mimeType;
}
