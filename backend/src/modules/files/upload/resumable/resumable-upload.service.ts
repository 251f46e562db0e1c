import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../../platform/clock/clock.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../../platform/http/lists/list.js';
import type { ResumableUploadDto } from '../../dto/upload.dto.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { MIB } from '../../../../platform/text/byte-units.js';
import { ZoneAccessRepository } from '../../../zones/access/zone-access.repository.js';
import { ZoneCapacityService } from '../../../zones/zone/zone-capacity.service.js';
import { zoneAbilities } from '../../../zones/access/zone.policy.js';
import { zoneErrors } from '../../../zones/zones.errors.js';
import { ItemTreeRepository } from '../../shared/item-tree.repository.js';
import { normaliseName } from '../../shared/file-name.js';
import { fileErrors } from '../../files.errors.js';
import { FileAccessService, type FolderLocation } from '../../access/file-access.service.js';
import { MAX_FILE_BYTES } from '../../access/file.policy.js';
import { UploadReservationService, type Reservation } from '../upload-reservation.service.js';
import { ResumableUploadRepository } from './resumable-upload.repository.js';

/** An upload that has not been continued for this long expires, and its reservation is released. */
export const RESUMABLE_LIFETIME = DAY;

/** A resumable upload, active or completed. */
export interface ResumableState {
  /** Random. */
  readonly id: string;
  readonly userId: number;
  readonly zoneId: number;
  readonly folderId: number | null;
  readonly name: string;
  readonly rename: boolean;
  /** Announced size in bytes. */
  readonly length: number;
  /** Bytes stored; equals `length` if and only if `fileId` is set. */
  readonly received: number;
  readonly expiresAt: Date;
  /** The reservation while the upload is active. */
  readonly reservation: Reservation | null;
  /** The file created by the upload. */
  readonly fileId: number | null;
}

export type ActiveUpload = ResumableState & { readonly reservation: Reservation };

export function isActive(upload: ResumableState): upload is ActiveUpload {
  return upload.reservation !== null;
}

export type NewUpload = Pick<ResumableState, 'id' | 'name' | 'zoneId' | 'folderId' | 'rename' | 'length'>;

/**
 * Manages resumable uploads, each owned by one user. Callers must hold the upload's lock for changes. Uses forked
 * entity managers, because bytes arrive outside the request context.
 */
@Injectable()
export class ResumableUploadService {
  private readonly logger = new Logger(ResumableUploadService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly uploads: ResumableUploadRepository,
    private readonly tree: ItemTreeRepository,
    private readonly access: ZoneAccessRepository,
    private readonly fileAccess: FileAccessService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly uploadReservation: UploadReservationService,
  ) {}

  /**
   * Creates an upload and reserves its bytes in the plan of the zone's owner.
   * @throws ZONE_NOT_FOUND, ZONE_FORBIDDEN, FOLDER_NOT_FOUND, MIRROR_READ_ONLY, INVALID_NAME, DUPLICATE_NAMES,
   * FILE_TOO_LARGE; PLAN_LIMIT (ZONE_FULL for everyone but the owner)
   */
  async createUpload(userId: number, newUpload: NewUpload): Promise<ActiveUpload> {
    const { ownerId } = await this.resolveDestination(userId, newUpload);
    const name = normaliseName(newUpload.name, 'filename');
    if (newUpload.length > MAX_FILE_BYTES) throw fileErrors.FILE_TOO_LARGE({ name, allowed: MAX_FILE_BYTES / MIB });
    const em = this.em.fork();
    if (!newUpload.rename) {
      const taken = await this.tree.findTakenNames(em, newUpload.zoneId, newUpload.folderId, [name]);
      if (taken.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: taken });
    }
    return this.zoneCapacity.translatePlanLimit(ownerId, userId, () =>
      this.insertUpload(em, userId, ownerId, { ...newUpload, name }),
    );
  }

  /**
   * Returns an active or completed upload of this user.
   * @throws UPLOAD_NOT_FOUND also for other users' uploads and abandoned ones
   */
  async findUpload(id: string, userId: number): Promise<ResumableState> {
    const row = await this.uploads.findUpload(id, userId);
    if (!row) throw fileErrors.UPLOAD_NOT_FOUND();
    const { uploadId, objectKey, ownerId, ...upload } = row;
    if (uploadId === null) return { ...upload, reservation: null };
    const reservation = { id: uploadId, objectKey: objectKey!, ownerId: ownerId!, lease: RESUMABLE_LIFETIME };
    return { ...upload, reservation };
  }

  /**
   * Abandons an upload and deletes its stored bytes; a file it has already created stays.
   * @throws UPLOAD_NOT_FOUND
   */
  async deleteUpload(id: string, userId: number): Promise<void> {
    const { reservation } = await this.findUpload(id, userId);
    const em = this.em.fork();
    if (reservation) await this.uploadReservation.abandonUpload(em, reservation);
    else await this.uploads.deleteUpload(em, id);
  }

  /** Lists the user's active uploads, newest first. */
  async listActive(userId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<ResumableUploadDto>> {
    const rows = await this.uploads.listActive(userId, limit + 1, cursor);
    const total = await this.uploads.countActive(userId);
    return toPage(rows, limit, total, (row) => [row.createdAt.toISOString(), row.id]);
  }

  /**
   * Returns an active or completed upload of this user.
   * @throws UPLOAD_NOT_FOUND also for other users' uploads and abandoned ones
   */
  async findOne(id: string, userId: number): Promise<ResumableUploadDto> {
    const row = isUploadId(id) ? await this.uploads.findDto(id, userId) : null;
    if (!row) throw fileErrors.UPLOAD_NOT_FOUND();
    return row;
  }

  /**
   * Resolves the target folder of an upload.
   * @throws ZONE_NOT_FOUND, ZONE_FORBIDDEN, FOLDER_NOT_FOUND, MIRROR_READ_ONLY
   */
  async resolveDestination(
    userId: number,
    { zoneId, folderId }: { zoneId: number; folderId: number | null },
  ): Promise<FolderLocation> {
    const zone = await this.access.findAccessibleZone(zoneId, userId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    if (!zoneAbilities(zone.role).manageFiles) throw zoneErrors.ZONE_FORBIDDEN();
    return this.fileAccess.resolveWritableLocation(zone, userId, folderId);
  }

  /** Releases the reservation of an upload that was permanently rejected. */
  async abandonUpload({ id, reservation }: ActiveUpload): Promise<void> {
    try {
      await this.uploadReservation.abandonUpload(this.em.fork(), reservation);
    } catch (error) {
      this.logger.warn({ err: error, uploadId: id }, "Couldn't delete a rejected upload; the sweep will remove it");
    }
  }

  /** Returns when an upload that is continued now will expire. */
  getExpiry(): Date {
    return addMilliseconds(this.clock.now(), RESUMABLE_LIFETIME);
  }

  /**
   * Inserts the upload together with its reservation. Reserves the bytes last, because that locks the owner's usage.
   */
  private insertUpload(
    em: EntityManager,
    userId: number,
    ownerId: number,
    newUpload: NewUpload,
  ): Promise<ActiveUpload> {
    const expiresAt = this.getExpiry();
    return inTransaction(em, async (em) => {
      const reservation = await this.uploadReservation.createReservation(em, ownerId, RESUMABLE_LIFETIME);
      await this.uploads.insertUpload(em, { ...newUpload, uploadId: reservation.id, userId, expiresAt });
      const { length } = newUpload;
      if (length > 0) await this.uploadReservation.reserveBytes(em, reservation, length, length);
      return { ...newUpload, userId, received: 0, expiresAt, reservation, fileId: null };
    });
  }
}

/** Whether the text can be the id of an upload; other values are not looked up. */
export function isUploadId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
