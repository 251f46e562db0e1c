import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../../platform/clock/clock.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { Readiness } from '../../../../platform/health/readiness.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../../platform/http/lists/list.js';
import type { FinishedObject, GrowingObject } from '../../../../platform/storage/growing-object.js';
import { Storage } from '../../../../platform/storage/storage.js';
import { stopOnShutdown } from '../../../../platform/streams/stop-on-shutdown.js';
import { ZoneAccessRepository } from '../../../zones/access/zone-access.repository.js';
import { zoneAbilities } from '../../../zones/access/zone.policy.js';
import { ZoneCapacityService } from '../../../zones/zone/zone-capacity.service.js';
import { zoneErrors } from '../../../zones/zones.errors.js';
import { FileAccessService } from '../../access/file-access.service.js';
import type { ResumableUploadDto } from '../../dto/upload.dto.js';
import { fileErrors } from '../../files.errors.js';
import { assertAccepted } from '../../requests/file-request.service.js';
import { normaliseName } from '../../shared/file-name.js';
import { ItemTreeRepository } from '../../shared/item-tree.repository.js';
import { FileReplacementService } from '../file-replacement.service.js';
import { assertFileSize, FileSizeLimitService } from '../file-size-limit.service.js';
import { FileUploadService, type StoredFile, type UploadDestination } from '../file-upload.service.js';
import { UploadDestinationService } from '../upload-destination.service.js';
import { UploadReservationService } from '../upload-reservation.service.js';
import {
  isActive,
  isPermanentFailure,
  isUploadId,
  RESUMABLE_LIFETIME,
  type ActiveUpload,
  type ClaimedUpload,
  type NewUpload,
  type ResumableState,
} from './resumable-upload.policy.js';
import { ResumableUploadRepository, TUS_PATH } from './resumable-upload.repository.js';
import { UploadBytesService } from './upload-bytes.service.js';

/**
 * Manages resumable uploads, each owned by one user, from the reservation of their bytes to the file. Callers must hold
 * the upload's lock for changes. Uses forked entity managers, because bytes arrive outside the request context.
 */
@Injectable()
export class ResumableUploadService {
  private readonly logger = new Logger(ResumableUploadService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
    private readonly uploads: ResumableUploadRepository,
    private readonly tree: ItemTreeRepository,
    private readonly access: ZoneAccessRepository,
    private readonly fileAccess: FileAccessService,
    private readonly uploadDestination: UploadDestinationService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly uploadReservation: UploadReservationService,
    private readonly uploadBytes: UploadBytesService,
    private readonly fileUpload: FileUploadService,
    private readonly fileReplacement: FileReplacementService,
    private readonly fileSizeLimit: FileSizeLimitService,
    private readonly storage: Storage,
  ) {}

  /**
   * Creates an upload and reserves its bytes in the plan of the zone's owner.
   * @throws ZONE_NOT_FOUND, ZONE_FORBIDDEN, FOLDER_NOT_FOUND, FILE_NOT_FOUND, MIRROR_READ_ONLY, INVALID_NAME,
   * DUPLICATE_NAMES, FILE_TOO_LARGE, FILE_REQUEST_CLOSED, FILE_REQUEST_LIMIT; PLAN_LIMIT (ZONE_FULL for everyone but
   * the owner)
   */
  async createUpload(userId: number, newUpload: NewUpload): Promise<ActiveUpload> {
    const { location, onConflict, submission } = await this.resolveDestination(userId, newUpload);
    const { ownerId } = location;
    const name = normaliseName(newUpload.name, 'filename');
    assertFileSize(name, newUpload.length, await this.fileSizeLimit.getLimit(ownerId, submission?.maxFileBytes));
    const em = this.em.fork();
    if (onConflict === 'refuse' && newUpload.replaces === null) {
      const taken = await this.tree.findTakenNames(em, newUpload.zoneId, newUpload.folderId, [name]);
      if (taken.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: taken });
    }
    return this.zoneCapacity.translatePlanLimit(ownerId, userId, () =>
      this.insertUpload(em, userId, ownerId, { ...newUpload, name }),
    );
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
    const createdAt = this.clock.now();
    const expiresAt = this.getExpiry();
    return inTransaction(em, async (em) => {
      if (!(await this.uploads.lockDestination(em, newUpload)))
        throw newUpload.replaces === null ? fileErrors.FOLDER_NOT_FOUND() : fileErrors.FILE_NOT_FOUND();
      const { length } = newUpload;
      const reservation = await this.uploadReservation.createReservation(em, ownerId, RESUMABLE_LIFETIME, length);
      await this.uploads.insertUpload(em, { ...newUpload, uploadId: reservation.id, userId, createdAt, expiresAt });
      await this.uploadReservation.reserveUsage(em, ownerId, length);
      return { ...newUpload, userId, received: 0, createdAt, expiresAt, reservation, fileId: null };
    });
  }

  /**
   * Returns an active or completed upload of this user.
   * @throws UPLOAD_NOT_FOUND also for other users' uploads and abandoned ones
   */
  async findUpload(id: string, userId: number): Promise<ResumableState> {
    const row = await this.uploads.findUpload(id, userId);
    if (!row) throw fileErrors.UPLOAD_NOT_FOUND();
    return toState(row);
  }

  /** Returns the active upload with this reservation; null if there is none, or it has expired. */
  async findByReservation(uploadId: number): Promise<ResumableState | null> {
    const row = await this.uploads.findByReservation(uploadId);
    return row && toState(row);
  }

  /**
   * Runs work on an active upload that the user may still continue, and that no other request changes meanwhile. If the
   * upload is permanently rejected (its zone, folder or file is gone, or the user may no longer upload), it is abandoned
   * immediately.
   * @param hasCompleted whether the result says that the upload is a file now, and no longer claimed
   * @throws ZONE_NOT_FOUND, ZONE_FORBIDDEN, FOLDER_NOT_FOUND, MIRROR_READ_ONLY, FILE_NOT_FOUND, FILE_REQUEST_CLOSED,
   * FILE_REQUEST_LIMIT, UPLOAD_OFFSET, and whatever the work throws
   */
  async withClaim<T>(
    upload: ActiveUpload,
    work: (em: EntityManager, claimed: ClaimedUpload, destination: UploadDestination) => Promise<T>,
    hasCompleted: (result: T) => boolean = () => false,
  ): Promise<T> {
    try {
      const destination = await this.resolveDestination(upload.userId, upload);
      const em = this.em.fork();
      const claimed = await this.uploadBytes.claimUpload(em, upload);
      let isClaimed = true;
      try {
        const result = await work(em, claimed, destination);
        isClaimed = !hasCompleted(result);
        return result;
      } finally {
        if (isClaimed) await this.uploadBytes.releaseUpload(em, claimed);
      }
    } catch (error) {
      if (isPermanentFailure(error)) await this.abandonUpload(upload);
      throw error;
    }
  }

  /**
   * Receives the next bytes of an upload. Bytes received before the source fails are kept; the last byte creates the
   * file, or replaces one. If the upload is permanently rejected (its zone, folder or file is gone, or the user may no
   * longer upload), it is abandoned immediately.
   * @throws errors of the source; ZONE_NOT_FOUND, ZONE_FORBIDDEN, FOLDER_NOT_FOUND, MIRROR_READ_ONLY, DUPLICATE_NAMES,
   * FILE_NOT_FOUND, FILE_CHANGED, FILE_TYPE_DIFFERS, UPLOAD_NOT_FOUND, UPLOAD_OFFSET, UPLOAD_TOO_LONG, STORAGE_UNAVAILABLE
   */
  async receiveBytes(upload: ResumableState, source: AsyncIterable<Uint8Array>): Promise<ResumableState> {
    if (!isActive(upload)) return upload;
    return this.withClaim(
      upload,
      (em, claimed, destination) => this.appendBytes(em, claimed, destination, source),
      (state) => !isActive(state),
    );
  }

  private async appendBytes(
    em: EntityManager,
    upload: ClaimedUpload,
    destination: UploadDestination,
    source: AsyncIterable<Uint8Array>,
  ): Promise<ResumableState> {
    let current = upload;
    const object = await this.openObject(em, current);
    try {
      const bytes = limitBytes(stopOnShutdown(source, this.readiness.draining), current.length - current.received);
      await object.append(bytes, async (size) => {
        // The last byte counts only together with the file.
        if (size < current.length) current = await this.uploadBytes.commitBytes(em, current, size, this.getExpiry());
      });
      if (object.size < current.length) return current;
      const finished = await object.finish();
      if (!finished) throw fileErrors.UPLOAD_NOT_FOUND();
      return await this.completeUpload(em, current, destination, finished);
    } finally {
      await object.close();
    }
  }

  /** @throws UPLOAD_NOT_FOUND if received bytes were lost, for example with a restored database; the client starts again */
  private async openObject(em: EntityManager, upload: ClaimedUpload): Promise<GrowingObject> {
    const object = await this.uploadBytes.openObject(em, upload);
    if (object) return object;
    this.logger.error(`Bytes of the unfinished upload ${upload.id} are missing from the storage`);
    await this.abandonUpload(upload);
    throw fileErrors.UPLOAD_NOT_FOUND();
  }

  /**
   * Makes the object with the bytes of an upload a file. If this fails, the upload stays as it is, so that the client
   * can retry.
   * @throws UPLOAD_NOT_FOUND if the upload was cleaned up in the meantime
   */
  async completeUpload(
    em: EntityManager,
    upload: ClaimedUpload,
    destination: UploadDestination,
    finished: FinishedObject,
  ): Promise<ResumableState> {
    const { name, length, reservation } = upload;
    // Bytes that don't add up must never become a file.
    if (finished.size !== length) throw new Error("The bytes of an upload don't make up its length.");
    const mimeType = await this.fileUpload.detectStoredType(finished.objectKey, name, length);
    const stored = { ...finished, name, mimeType, reservation };
    const fileId = await inTransaction(em, (em) => this.createFile(em, upload, destination, stored));
    return { ...upload, received: length, reservation: null, fileId };
  }

  /** Updates the upload first: if this request and a clean-up compete, the one that changes the row first wins. */
  private async createFile(
    em: EntityManager,
    upload: ClaimedUpload,
    destination: UploadDestination,
    stored: StoredFile,
  ): Promise<number> {
    const detached = await this.uploads.detachReservation(em, upload, this.getExpiry());
    if (detached === null) throw fileErrors.UPLOAD_NOT_FOUND();
    // The folder was moved to another zone in the meantime: the client resumes the upload there.
    if (detached.zoneId !== destination.location.zoneId) throw fileErrors.UPLOAD_OFFSET();
    if (detached.hasParts) await this.uploadBytes.deleteParts(em, upload, stored.objectKey);
    const fileId = await this.createOrReplace(em, upload, destination, stored);
    await this.uploads.markCompleted(em, upload, { length: upload.length, fileId });
    return fileId;
  }

  private async createOrReplace(
    em: EntityManager,
    { userId, replaces: fileId, ifVersion }: ActiveUpload,
    destination: UploadDestination,
    stored: StoredFile,
  ): Promise<number> {
    if (fileId === null) return (await this.fileReplacement.saveFiles(em, destination, [stored]))[0]!;
    const { zoneId, ownerId } = destination.location;
    const target = { fileId, zoneId, ownerId, userId, ifVersion, activity: 'file.replaced' } as const;
    await this.fileReplacement.replaceContent(em, target, stored);
    return fileId;
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
    const rows = (await this.uploads.listActive(userId, limit + 1, cursor)).map((row) => this.toDto(row));
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
    return this.toDto(row);
  }

  /** Returns an upload that the current request has created. */
  describeCreated(upload: ResumableState): ResumableUploadDto {
    const { id, name, zoneId, folderId, replaces, length, received, fileId, createdAt, expiresAt } = upload;
    return this.toDto({
      ...{ id, location: `${TUS_PATH}/${id}`, name, zoneId, folderId, replaces, length, received },
      state: fileId === null ? 'receiving' : 'stored',
      acceptsParts: isActive(upload) && received === 0 && length > 0,
      ...{ fileId, createdAt, expiresAt },
    });
  }

  private toDto(row: ResumableUploadDto): ResumableUploadDto {
    return { ...row, acceptsParts: row.acceptsParts && this.storage.acceptsDirectParts };
  }

  /**
   * Resolves the target folder of an upload; the root if it replaces a file, whose place stays.
   * @throws ZONE_NOT_FOUND, ZONE_FORBIDDEN, FOLDER_NOT_FOUND, MIRROR_READ_ONLY, FILE_REQUEST_CLOSED,
   * FILE_REQUEST_LIMIT; FILE_NOT_FOUND if the file to replace isn't visible in the zone
   */
  private async resolveDestination(
    userId: number,
    { zoneId, folderId, replaces, onConflict }: Pick<NewUpload, 'zoneId' | 'folderId' | 'replaces' | 'onConflict'>,
  ): Promise<UploadDestination> {
    const zone = await this.access.findAccessibleZone(zoneId, userId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    if (replaces === null) {
      const destination = await this.uploadDestination.resolve(zone, userId, folderId, onConflict);
      if (destination.submission) assertAccepted(destination.submission, 1);
      return destination;
    }
    if (!zoneAbilities(zone.role).manageFiles) throw zoneErrors.ZONE_FORBIDDEN();
    const file = await this.fileAccess.findFile(replaces, userId, zoneId);
    if (!file) throw fileErrors.FILE_NOT_FOUND();
    if (file.mountId !== null) throw fileErrors.MIRROR_READ_ONLY();
    const location = await this.fileAccess.resolveWritableLocation(zone, userId, null);
    return { location, userId, onConflict };
  }

  /** Releases the reservation of an upload that was permanently rejected. */
  private async abandonUpload({ id, reservation }: ActiveUpload): Promise<void> {
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
}

type UploadRow = NonNullable<Awaited<ReturnType<ResumableUploadRepository['findUpload']>>>;

function toState({ uploadId, objectKey, ownerId, ...upload }: UploadRow): ResumableState {
  if (uploadId === null) return { ...upload, reservation: null };
  const reservation = { id: uploadId, objectKey: objectKey!, ownerId: ownerId!, lease: RESUMABLE_LIFETIME };
  return { ...upload, reservation };
}

/** @throws UPLOAD_TOO_LONG after `allowed` bytes if more arrive */
async function* limitBytes(source: AsyncIterable<Uint8Array>, allowed: number): AsyncGenerator<Uint8Array> {
  let remaining = allowed;
  for await (const chunk of source) {
    if (remaining > 0) yield chunk.subarray(0, remaining);
    if (chunk.byteLength > remaining) throw fileErrors.UPLOAD_TOO_LONG();
    remaining -= chunk.byteLength;
  }
}
