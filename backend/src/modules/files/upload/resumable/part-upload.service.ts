import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { SECOND } from '../../../../platform/clock/clock.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { AppError } from '../../../../platform/errors/app-error.js';
import { Readiness } from '../../../../platform/health/readiness.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import { newObjectKey, Storage } from '../../../../platform/storage/storage.js';
import { ChunkSplitter } from '../../../../platform/streams/chunk-splitter.js';
import { stopOnShutdown, consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import { MIB } from '../../../../platform/text/byte-units.js';
import { fileErrors } from '../../files.errors.js';
import { deleteObjects } from '../../files.jobs.js';
import { UploadRepository } from '../upload.repository.js';
import { FileUploadService, type UploadDestination, type StoredFile } from '../file-upload.service.js';
import { ResumableUploadRepository } from './resumable-upload.repository.js';
import {
  isActive,
  ResumableUploadService,
  type ActiveUpload,
  type ResumableState,
} from './resumable-upload.service.js';

/**
 * A part ends with its request, or as soon as it has this many bytes and this much time has passed since it began. This
 * bounds what a crashed process can lose. A fast upload consists of a single part, which becomes the file without
 * copying.
 */
const MIN_PART_BYTES = 8 * MIB;
const MAX_PART_DURATION = 2 * SECOND;

/** Errors after which an upload can never become a file; its reservation is released immediately. */
const PERMANENT_ERRORS = new Set([
  'ZONE_NOT_FOUND',
  'ZONE_FORBIDDEN',
  'FOLDER_NOT_FOUND',
  'MIRROR_READ_ONLY',
  'UPLOAD_TOO_LONG',
]);

/** Bytes of an upload, stored in an object of their own. */
interface UploadedPart extends Omit<StoredFile, 'reservation'> {
  readonly id: number;
}

/**
 * Receives the bytes of resumable uploads in parts. Parts are ordinary storage objects, so that every process can read
 * them and they survive a crash. The last part completes the file.
 */
@Injectable()
export class PartUploadService {
  private readonly logger = new Logger(PartUploadService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly uploads: UploadRepository,
    private readonly resumableUploads: ResumableUploadRepository,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
    private readonly readiness: Readiness,
    private readonly fileUpload: FileUploadService,
    private readonly resumableUpload: ResumableUploadService,
  ) {}

  /**
   * Receives the next bytes of an upload. Bytes received before the source fails are kept; the last byte creates the
   * file. If the upload is permanently rejected (its zone or folder is gone, or the user may no longer upload), it is
   * abandoned immediately.
   * @throws errors of the source; DUPLICATE_NAMES, UPLOAD_NOT_FOUND, UPLOAD_OFFSET, UPLOAD_TOO_LONG,
   * STORAGE_UNAVAILABLE; errors of `ResumableUploadService.resolveDestination`
   */
  async receiveBytes(upload: ResumableState, source: AsyncIterable<Uint8Array>): Promise<ResumableState> {
    if (!isActive(upload)) return upload;
    try {
      return await this.receiveParts(upload, source);
    } catch (error) {
      if (error instanceof AppError && PERMANENT_ERRORS.has(error.code))
        await this.resumableUpload.abandonUpload(upload);
      throw error;
    }
  }

  private async receiveParts(upload: ActiveUpload, source: AsyncIterable<Uint8Array>): Promise<ResumableState> {
    const location = await this.resumableUpload.resolveDestination(upload.userId, upload);
    const em = this.em.fork();
    const bytes = new ChunkSplitter(stopOnShutdown(source, this.readiness.draining));
    let current: ActiveUpload = upload;
    while ((await bytes.hasMore()) || current.length === 0) {
      const part = await this.storePart(em, current, bytes);
      if (current.received + part.size < current.length) {
        current = await this.commitPart(em, current, part);
        continue;
      }
      await this.assertComplete(em, bytes, part);
      const onConflict = current.rename ? 'rename' : 'refuse';
      const fileId = await this.completeUpload(em, current, { location, userId: current.userId, onConflict }, part);
      return { ...current, received: current.length, reservation: null, fileId };
    }
    if (bytes.failure) throw bytes.failure;
    return current;
  }

  /** Stores the next bytes. They count as received only after `commitPart` or `completeUpload`. */
  private async storePart(
    em: EntityManager,
    { reservation, received, length, name }: ActiveUpload,
    bytes: ChunkSplitter,
  ) {
    const objectKey = newObjectKey('files');
    const id = await this.uploads.insertPart(em, reservation.id, objectKey, received);
    if (id === null) throw fileErrors.UPLOAD_NOT_FOUND();
    try {
      const bounds = { minBytes: MIN_PART_BYTES, maxBytes: length - received, maxDuration: MAX_PART_DURATION };
      return { id, ...(await this.fileUpload.storeBytes(objectKey, name, bytes.nextChunk(bounds))) };
    } catch (error) {
      await this.discardPart(em, { id, objectKey });
      throw error;
    }
  }

  /** Rejects the last part if more bytes arrive than announced or the source fails at the very end. */
  private async assertComplete(em: EntityManager, bytes: ChunkSplitter, part: UploadedPart): Promise<void> {
    if (!(await bytes.hasMore()) && !bytes.failure) return;
    await this.discardPart(em, part);
    throw bytes.failure ?? fileErrors.UPLOAD_TOO_LONG();
  }

  /**
   * Counts a part as received if the upload's offset equals the part's start.
   * @returns the new state
   * @throws UPLOAD_OFFSET if another request has continued the upload in the meantime; UPLOAD_NOT_FOUND
   */
  private async commitPart(em: EntityManager, upload: ActiveUpload, part: UploadedPart): Promise<ActiveUpload> {
    const received = upload.received + part.size;
    const expiresAt = this.resumableUpload.getExpiry();
    try {
      await inTransaction(em, async (em) => {
        const isFirst = await this.resumableUploads.advanceOffset(em, upload, received, expiresAt);
        if (!isFirst) throw fileErrors.UPLOAD_OFFSET();
        await this.uploads.extendLeases(em, [upload.reservation.id], expiresAt);
        if (!(await this.uploads.markPartReceived(em, part.id, part.size))) throw fileErrors.UPLOAD_NOT_FOUND();
      });
    } catch (error) {
      await this.discardPart(em, part);
      throw error;
    }
    return { ...upload, received, expiresAt };
  }

  /**
   * Joins the parts into a file; a single part becomes the file without copying. If this fails, the last part is
   * discarded, so that the client can retry it.
   */
  private async completeUpload(
    em: EntityManager,
    upload: ActiveUpload,
    target: UploadDestination,
    last: UploadedPart,
  ): Promise<number> {
    const { reservation, name } = upload;
    try {
      const earlier = await this.uploads.findReceivedPartKeys(em, reservation.id);
      const stored =
        earlier.length === 0
          ? last
          : await this.fileUpload.storeBytes(reservation.objectKey, name, this.readParts([...earlier, last.objectKey]));
      // Parts whose sizes don't add up must never become a file.
      if (stored.size !== upload.length) throw new Error('The parts of an upload do not make up its length.');
      return await inTransaction(em, (em) => this.createFile(em, upload, target, { ...stored, reservation }));
    } catch (error) {
      await this.discardPart(em, last);
      throw error;
    }
  }

  private async *readParts(keys: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const key of keys) yield* consumeChunks((await this.storage.read(key)) as AsyncIterable<Uint8Array>);
  }

  /** Updates the upload first: if this request and a clean-up compete, the one that changes the row first wins. */
  private async createFile(
    em: EntityManager,
    upload: ActiveUpload,
    target: UploadDestination,
    stored: StoredFile,
  ): Promise<number> {
    const expiresAt = this.resumableUpload.getExpiry();
    const isFirst = await this.resumableUploads.detachReservation(em, upload, expiresAt);
    if (!isFirst) throw fileErrors.UPLOAD_NOT_FOUND();
    const objectKeys = await this.uploads.findOtherPartKeys(em, upload.reservation.id, stored.objectKey);
    if (objectKeys.length > 0) await this.jobs.enqueue(em, deleteObjects, { objectKeys });
    const [fileId] = await this.fileUpload.createFiles(em, target, [stored]);
    await this.resumableUploads.markCompleted(em, upload, { length: upload.length, fileId: fileId! });
    return fileId!;
  }

  /**
   * Discards a part that failed. The rows decide: if the commit succeeded and only its response was lost, the part
   * counts, or is already a file. What can't be deleted now is deleted with the upload.
   */
  private async discardPart(
    em: EntityManager,
    { id, objectKey }: Pick<UploadedPart, 'id' | 'objectKey'>,
  ): Promise<void> {
    try {
      await inTransaction(em.fork(), async (em) => {
        const isAbandoned = await this.uploads.discardPart(em, id, objectKey);
        if (isAbandoned) await this.jobs.enqueue(em, deleteObjects, { objectKeys: [objectKey] });
      });
    } catch (error) {
      this.logger.warn({ err: error, partId: id }, "Couldn't delete an upload part; the sweep will remove it");
    }
  }
}
