import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import { cursorTuple } from '../../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../../platform/http/lists/list.js';
import type { ResumableUploadDto } from '../../dto/upload.dto.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { MIB } from '../../../../platform/text/byte-units.js';
import { ZoneAccessService } from '../../../zones/access/zone-access.service.js';
import { ZoneCapacityService } from '../../../zones/zone/zone-capacity.service.js';
import { zoneAbilities } from '../../../zones/access/zone.policy.js';
import { zoneErrors } from '../../../zones/zones.errors.js';
import { ResumableUploadSchema, UploadSchema } from '../../entities/upload.entity.js';
import { findTakenNames } from '../../shared/file-placement.js';
import { normaliseName } from '../../shared/file-name.js';
import { fileErrors } from '../../files.errors.js';
import { FileAccessService, type FolderLocation } from '../../access/file-access.service.js';
import { MAX_FILE_BYTES } from '../../access/file.policy.js';
import { UploadReservationService, type Reservation } from '../upload-reservation.service.js';

type Tables = typeof ResumableUploadSchema | typeof UploadSchema;

/** Base path of resumable uploads. */
export const TUS_PATH = '/api/uploads';
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
    private readonly access: ZoneAccessService,
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
      const taken = await findTakenNames(em, newUpload.zoneId, newUpload.folderId, [name]);
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
    const row = await query<Tables>(this.em.fork())
      .selectFrom('resumable_uploads as r')
      .leftJoin('uploads as u', 'u.id', 'r.upload_id')
      .select(['r.id as id', 'r.user_id as userId', 'r.zone_id as zoneId', 'r.folder_id as folderId', 'r.name as name'])
      .select(['r.rename as rename', 'r.length as length', 'r.received as received', 'r.expires_at as expiresAt'])
      .select(['r.file_id as fileId', 'u.id as uploadId', 'u.object_key as objectKey', 'u.owner_id as ownerId'])
      .where('r.id', '=', id)
      .where('r.user_id', '=', userId)
      .where('r.expires_at', '>', this.clock.now())
      .executeTakeFirst();
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
    else await query<Tables>(em).deleteFrom('resumable_uploads').where('id', '=', id).execute();
  }

  /** Deletes expired rows of completed uploads; active ones are deleted with their reservation. */
  async deleteCompleted(): Promise<void> {
    await query<Tables>(this.em.fork())
      .deleteFrom('resumable_uploads')
      .where('upload_id', 'is', null)
      .where('expires_at', '<=', this.clock.now())
      .execute();
  }

  /** Lists the user's active uploads, newest first. */
  async listActive(userId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<ResumableUploadDto>> {
    const open = this.ownUploadsQuery(userId).where('upload_id', 'is not', null);
    const last = cursor ? cursorTuple(cursor, ['timestamptz', 'uuid']) : null;
    const rows = await open
      .select(shownColumns)
      .where(last ? sql<boolean>`(created_at, id) < ${last}` : sql<boolean>`true`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const count = open.select(sql<number>`count(*)`.as('total'));
    const { total } = await count.executeTakeFirstOrThrow();
    return toPage(rows, limit, Number(total), (row) => [row.createdAt.toISOString(), row.id]);
  }

  /**
   * Returns an active or completed upload of this user.
   * @throws UPLOAD_NOT_FOUND also for other users' uploads and abandoned ones
   */
  async findOne(id: string, userId: number): Promise<ResumableUploadDto> {
    const row = isUploadId(id)
      ? await this.ownUploadsQuery(userId).select(shownColumns).where('id', '=', id).executeTakeFirst()
      : null;
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

  private ownUploadsQuery(userId: number) {
    return query<typeof ResumableUploadSchema>(this.em)
      .selectFrom('resumable_uploads')
      .where('user_id', '=', userId)
      .where('expires_at', '>', this.clock.now());
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
      const { id, zoneId, folderId, name, rename, length } = newUpload;
      await query<Tables>(em)
        .insertInto('resumable_uploads')
        .values({
          id,
          name,
          rename,
          length,
          received: 0,
          upload_id: reservation.id,
          user_id: userId,
          zone_id: zoneId,
          folder_id: folderId,
          expires_at: expiresAt,
          created_at: this.clock.now(),
        })
        .execute();
      if (length > 0) await this.uploadReservation.reserveBytes(em, reservation, length, length);
      return { ...newUpload, userId, received: 0, expiresAt, reservation, fileId: null };
    });
  }
}

/** Columns of `ResumableUploadDto`. */
const shownColumns = [
  ...(['id', 'name', 'zone_id as zoneId', 'folder_id as folderId', 'length', 'received'] as const),
  ...(['file_id as fileId', 'created_at as createdAt', 'expires_at as expiresAt'] as const),
  sql<string>`${`${TUS_PATH}/`}::text || id`.as('location'),
];

/** Whether the text can be the id of an upload; other values are not looked up. */
export function isUploadId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
