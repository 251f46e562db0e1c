import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import type { GrowingObject } from '../../../../platform/storage/growing-object.js';
import { KeptHashes } from '../../../../platform/storage/kept-hashes.js';
import { Storage } from '../../../../platform/storage/storage.js';
import { consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import { fileErrors } from '../../files.errors.js';
import { deleteObjects } from '../../files.jobs.js';
import { UploadRepository, type OtherObjects, type ReceivedPart } from '../upload.repository.js';
import { GrowingMultipart } from './growing-multipart.js';
import type { ActiveUpload, ClaimedUpload } from './resumable-upload.policy.js';
import { ResumableUploadRepository } from './resumable-upload.repository.js';
import { UploadMultipartRepository } from './upload-multipart.repository.js';

/**
 * The stored bytes of resumable uploads: one file that grows, or a multipart upload of a bucket. They survive a crash,
 * and every process that uses the storage can continue them.
 */
@Injectable()
export class UploadBytesService {
  private readonly logger = new Logger(UploadBytesService.name);
  private readonly hashes = new KeptHashes();

  constructor(
    private readonly uploads: UploadRepository,
    private readonly resumableUploads: ResumableUploadRepository,
    private readonly multiparts: UploadMultipartRepository,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Claims an upload for writing; excludes a former writer that hasn't released it.
   * @throws UPLOAD_OFFSET if another request has continued the upload, or it was cleaned up
   */
  async claimUpload(em: EntityManager, upload: ActiveUpload): Promise<ClaimedUpload> {
    const generation = await this.resumableUploads.claimUpload(em, upload);
    if (generation === null) throw fileErrors.UPLOAD_OFFSET();
    return { ...upload, generation };
  }

  /** Releases a claim. If this fails, the next request makes a copy of what is stored. */
  async releaseUpload(em: EntityManager, upload: ClaimedUpload): Promise<void> {
    try {
      await this.resumableUploads.releaseUpload(em, upload);
    } catch (error) {
      this.logger.warn({ err: error, uploadId: upload.id }, "Couldn't release an upload");
    }
  }

  /**
   * Opens the bytes of a claimed upload at its offset.
   * @returns null when bytes that were received are missing
   */
  async openObject(em: EntityManager, upload: ClaimedUpload): Promise<GrowingObject | null> {
    const { received, generation, reservation } = upload;
    const others = await this.uploads.findOtherObjects(em, reservation.id);
    if (!(await this.isGrowing(upload, others))) return this.openMultipart(em, upload, others);
    if (others.hasParts && !(await this.importParts(em, upload))) return null;
    return this.storage.openGrowing(reservation.objectKey, { size: received, generation });
  }

  /** While the files are moved between a folder and a bucket, an upload is completed where it began. */
  private async isGrowing({ received, reservation }: ClaimedUpload, { hasMultipart }: OtherObjects): Promise<boolean> {
    if (this.storage.canGrow) return !hasMultipart;
    return received > 0 && (await this.storage.hasUnfinished(reservation.objectKey));
  }

  private openMultipart(em: EntityManager, upload: ClaimedUpload, others: OtherObjects): Promise<GrowingObject | null> {
    const { storage, uploads, resumableUploads, multiparts, jobs, hashes } = this;
    return GrowingMultipart.open({ em, storage, uploads, resumableUploads, multiparts, jobs, hashes }, upload, others);
  }

  /**
   * Counts bytes as received if the upload's offset is still the expected one, and extends the upload.
   * @returns the upload with its new offset
   * @throws UPLOAD_OFFSET if another request has continued the upload in the meantime
   */
  async commitBytes(
    em: EntityManager,
    upload: ClaimedUpload,
    received: number,
    expiresAt: Date,
  ): Promise<ClaimedUpload> {
    const isFirst = await this.resumableUploads.advanceOffset(em, upload, received, expiresAt);
    if (!isFirst) throw fileErrors.UPLOAD_OFFSET();
    return { ...upload, received, expiresAt };
  }

  /**
   * Deletes the parts; their objects after the commit.
   * @param keptKey the key of an object that becomes the file
   */
  async deleteParts(em: EntityManager, upload: ActiveUpload, keptKey?: string): Promise<void> {
    const objectKeys = await this.uploads.deleteParts(em, upload.reservation.id, keptKey);
    if (objectKeys.length > 0) await this.jobs.enqueue(em, deleteObjects, { objectKeys });
  }

  /**
   * Copies parts into the growing object. They are those of an upload that began with version 0.2.0, which stored all
   * uploads in parts.
   * @returns false when bytes that were received are missing
   */
  private async importParts(em: EntityManager, upload: ClaimedUpload): Promise<boolean> {
    const { received, generation, reservation } = upload;
    const parts = await this.uploads.findReceivedParts(em, reservation.id);
    const [first] = parts;
    if (!first) return true;
    const object = await this.storage.openGrowing(reservation.objectKey, { size: first.start, generation });
    if (!object) return false;
    try {
      await object.append(readParts(this.storage, parts), () => Promise.resolve());
      if (object.size !== received) throw new Error('The parts of an upload do not make up its offset.');
    } finally {
      await object.close();
    }
    await inTransaction(em, (em) => this.deleteParts(em, upload));
    return true;
  }
}

/** Reads the bytes of parts, one part after the other. */
async function* readParts(storage: Storage, parts: readonly ReceivedPart[]): AsyncGenerator<Uint8Array> {
  for (const { objectKey } of parts) {
    yield* consumeChunks((await storage.read(objectKey)) as AsyncIterable<Uint8Array>);
  }
}
