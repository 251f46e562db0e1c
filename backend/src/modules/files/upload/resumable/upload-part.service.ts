import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { SECOND } from '../../../../platform/clock/clock.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import { newObjectKey, Storage } from '../../../../platform/storage/storage.js';
import type { ChunkSplitter } from '../../../../platform/streams/chunk-splitter.js';
import { consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import { MIB } from '../../../../platform/text/byte-units.js';
import { fileErrors } from '../../files.errors.js';
import { deleteObjects } from '../../files.jobs.js';
import { FileUploadService, type StoredFile } from '../file-upload.service.js';
import { UploadRepository } from '../upload.repository.js';
import type { ActiveUpload } from './resumable-upload.policy.js';
import { ResumableUploadRepository } from './resumable-upload.repository.js';

/**
 * A part ends with its request, or as soon as it has this many bytes and this much time has passed since it began. This
 * bounds what a crashed process can lose. A fast upload consists of a single part, which becomes the file without
 * copying.
 */
const MIN_PART_BYTES = 8 * MIB;
const MAX_PART_DURATION = 2 * SECOND;

/** Bytes of an upload, stored in an object of their own. */
export interface UploadedPart extends Omit<StoredFile, 'reservation'> {
  readonly id: number;
}

/**
 * Stores the bytes of resumable uploads in parts. Parts are ordinary storage objects, so that every process can read
 * them and they survive a crash.
 */
@Injectable()
export class UploadPartService {
  private readonly logger = new Logger(UploadPartService.name);

  constructor(
    private readonly uploads: UploadRepository,
    private readonly resumableUploads: ResumableUploadRepository,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
    private readonly fileUpload: FileUploadService,
  ) {}

  /**
   * Stores the next bytes. They count as received only after `commitPart`, or when they have become the file.
   * @throws UPLOAD_NOT_FOUND, STORAGE_UNAVAILABLE
   */
  async storePart(
    em: EntityManager,
    { reservation, received, length, name }: ActiveUpload,
    bytes: ChunkSplitter,
  ): Promise<UploadedPart> {
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

  /**
   * Counts a part as received if the upload's offset equals the part's start, and extends the upload. Discards the part
   * if this fails.
   * @returns the new offset
   * @throws UPLOAD_OFFSET if another request has continued the upload in the meantime; UPLOAD_NOT_FOUND
   */
  async commitPart(em: EntityManager, upload: ActiveUpload, part: UploadedPart, expiresAt: Date): Promise<number> {
    const received = upload.received + part.size;
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
    return received;
  }

  /** Joins the parts of an upload. A single part is returned without copying. */
  async joinParts(
    em: EntityManager,
    { reservation, name, length }: ActiveUpload,
    last: UploadedPart,
  ): Promise<StoredFile> {
    const earlier = await this.uploads.findReceivedPartKeys(em, reservation.id);
    const stored =
      earlier.length === 0
        ? last
        : await this.fileUpload.storeBytes(reservation.objectKey, name, this.readParts([...earlier, last.objectKey]));
    // Parts whose sizes don't add up must never become a file.
    if (stored.size !== length) throw new Error('The parts of an upload do not make up its length.');
    return { ...stored, reservation };
  }

  private async *readParts(keys: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const key of keys) yield* consumeChunks((await this.storage.read(key)) as AsyncIterable<Uint8Array>);
  }

  /** Deletes the parts of an upload other than the object that becomes the file, after the commit. */
  async deleteOtherParts(em: EntityManager, { reservation }: ActiveUpload, objectKey: string): Promise<void> {
    const objectKeys = await this.uploads.findOtherPartKeys(em, reservation.id, objectKey);
    if (objectKeys.length > 0) await this.jobs.enqueue(em, deleteObjects, { objectKeys });
  }

  /**
   * Discards a part that failed. The rows decide: if the commit succeeded and only its response was lost, the part
   * counts, or is already a file. What can't be deleted now is deleted with the upload.
   */
  async discardPart(em: EntityManager, { id, objectKey }: Pick<UploadedPart, 'id' | 'objectKey'>): Promise<void> {
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
