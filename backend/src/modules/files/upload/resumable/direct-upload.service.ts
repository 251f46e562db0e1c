import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { AppError } from '../../../../platform/errors/app-error.js';
import { fieldError } from '../../../../platform/http/parsing/validation.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { storageErrors } from '../../../../platform/storage/storage.errors.js';
import { newObjectKey, Storage } from '../../../../platform/storage/storage.js';
import { consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import type {
  CompleteUploadDto,
  ResumableUploadDto,
  SignedPartDto,
  SignPartsDto,
  UploadPartsDto,
} from '../../dto/upload.dto.js';
import { fileErrors } from '../../files.errors.js';
import { checkDirectUpload, deleteObjects } from '../../files.jobs.js';
import type { UploadDestination } from '../file-upload.service.js';
import { UploadRepository } from '../upload.repository.js';
import { partBytesOf } from './growing-multipart.js';
import {
  isActive,
  isPermanentFailure,
  isUploadId,
  type ActiveUpload,
  type ClaimedUpload,
  type ResumableState,
} from './resumable-upload.policy.js';
import { ResumableUploadRepository } from './resumable-upload.repository.js';
import { ResumableUploadService } from './resumable-upload.service.js';
import { UploadLockService } from './upload-lock.service.js';
import { UploadMultipartRepository, type SentPart, type UploadMultipart } from './upload-multipart.repository.js';

/** How long the address of a part is valid, in milliseconds. */
const PART_URL_LIFETIME = 15 * MINUTE;

/**
 * Resumable uploads whose parts the browser sends to the bucket itself (ADR 0061). Their rows are those of other
 * resumable uploads; nothing counts as received until the server has read the whole object.
 */
@Injectable()
export class DirectUploadService {
  private readonly logger = new Logger(DirectUploadService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly locks: UploadLockService,
    private readonly resumableUpload: ResumableUploadService,
    private readonly resumableUploads: ResumableUploadRepository,
    private readonly uploads: UploadRepository,
    private readonly multiparts: UploadMultipartRepository,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Returns the parts of an upload, and which of them were sent.
   * @throws UPLOAD_NOT_FOUND; UPLOAD_NOT_DIRECT if the storage accepts none, or bytes were sent to the upload itself
   */
  async getParts(id: string, userId: number): Promise<UploadPartsDto> {
    const upload = await this.findUnreceived(id, userId);
    this.assertAccepted();
    const { id: uploadId } = upload.reservation;
    return { ...partsOf(upload), sent: await this.multiparts.listSentNumbers(this.em.fork(), uploadId) };
  }

  /**
   * Signs the addresses of parts, and records those that were sent. Asks each time whether the user may still upload.
   * @throws UPLOAD_NOT_FOUND, UPLOAD_NOT_DIRECT, VALIDATION_FAILED, STORAGE_UNAVAILABLE; UPLOAD_LOCKED while the upload
   * is read or another request uses it; and whatever `ResumableUploadService.withClaim` throws
   */
  signParts(id: string, userId: number, { numbers, sent = [] }: SignPartsDto): Promise<SignedPartDto[]> {
    return this.withLock(id, async () => {
      const upload = await this.findUnreceived(id, userId);
      this.assertAccepted();
      assertNumbers(upload, [...numbers, ...sent.map(({ number }) => number)]);
      return this.resumableUpload.withClaim(upload, async (em, claimed) => {
        const multipart = await this.openMultipart(em, claimed);
        await this.recordParts(em, claimed, sent);
        return Promise.all(numbers.map((number) => this.signPart(claimed, multipart, number)));
      });
    });
  }

  /**
   * Ends an upload whose parts were all sent: a job reads the object, and makes it a file. Once it was read, further
   * calls try that again and return why it isn't possible.
   * @throws UPLOAD_NOT_FOUND, UPLOAD_NOT_DIRECT, UPLOAD_INCOMPLETE, UPLOAD_LOCKED, STORAGE_UNAVAILABLE, and whatever
   * `ResumableUploadService.withClaim` and `completeUpload` throw
   */
  async completeUpload(id: string, userId: number, { sent = [] }: CompleteUploadDto): Promise<ResumableUploadDto> {
    await this.withLock(id, async () => {
      // The response to an earlier call was lost.
      if (!isActive(await this.resumableUpload.findUpload(id, userId))) return;
      const upload = await this.findUnreceived(id, userId);
      assertNumbers(
        upload,
        sent.map(({ number }) => number),
      );
      await this.resumableUpload.withClaim(upload, async (em, claimed, destination) => {
        const multipart = await this.findMultipart(em, claimed);
        if (multipart?.sha256 != null) await this.storeFile(em, claimed, destination, multipart);
        else if (!multipart?.isCompleting) await this.startCheck(em, claimed, multipart, sent);
      });
    });
    return this.resumableUpload.findOne(id, userId);
  }

  /**
   * Reads the object of an upload, and makes it a file. If the parts have changed since they were reported, the upload
   * starts again.
   */
  @OnJob(checkDirectUpload)
  async checkUpload({ uploadId }: { uploadId: number }, { signal }: JobContext): Promise<void> {
    const upload = await this.resumableUpload.findByReservation(uploadId);
    if (!upload || !isActive(upload)) return;
    const em = this.em.fork();
    const multipart = await this.multiparts.findMultipart(em, uploadId);
    if (!multipart?.isDirect || !multipart.isCompleting) return;
    if (multipart.sha256 === null && !(await this.readObject(em, upload, multipart, signal))) return;
    try {
      await this.storeChecked(upload);
    } catch (error) {
      // Retried, unless the user has to decide: the next call of `completeUpload` returns the same error.
      if (!isRejection(error)) throw error;
      this.logger.log({ err: error, uploadId: upload.id }, "A checked upload couldn't become a file");
    }
  }

  private storeChecked({ id, userId }: ActiveUpload): Promise<void> {
    return this.withLock(id, async () => {
      const upload = await this.resumableUpload.findUpload(id, userId);
      if (!isActive(upload)) return;
      await this.resumableUpload.withClaim(upload, async (em, claimed, destination) => {
        const multipart = await this.multiparts.findMultipart(em, claimed.reservation.id);
        if (multipart?.sha256 != null) await this.storeFile(em, claimed, destination, multipart);
      });
    });
  }

  /**
   * Completes the multipart upload and hashes its object. Can be repeated.
   * @returns false if the parts don't make up the upload; they are deleted then
   */
  private async readObject(
    em: EntityManager,
    upload: ActiveUpload,
    multipart: UploadMultipart,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { objectKey, etags } = multipart;
    const isComplete = await this.storage.completeMultipart(multipart, etags, upload.length);
    if (!isComplete) {
      this.logger.warn({ uploadId: upload.id }, 'The parts of a direct upload are not those that were reported');
      await this.discard(em, multipart);
      return false;
    }
    await this.multiparts.recordHash(em, objectKey, await this.hashObject(objectKey, upload.length, signal));
    return true;
  }

  /** @throws STORAGE_UNAVAILABLE if the object has another size: it is read again later */
  private async hashObject(objectKey: string, length: number, signal: AbortSignal): Promise<string> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of consumeChunks((await this.storage.read(objectKey)) as AsyncIterable<Buffer>)) {
      signal.throwIfAborted();
      hash.update(chunk);
      size += chunk.byteLength;
    }
    if (size !== length) throw storageErrors.STORAGE_UNAVAILABLE();
    return hash.digest('hex');
  }

  private async storeFile(
    em: EntityManager,
    upload: ClaimedUpload,
    destination: UploadDestination,
    { objectKey, sha256 }: UploadMultipart,
  ): Promise<void> {
    const finished = { objectKey, size: upload.length, sha256: sha256! };
    await this.resumableUpload.completeUpload(em, upload, destination, finished);
  }

  /** @throws UPLOAD_INCOMPLETE */
  private async startCheck(
    em: EntityManager,
    upload: ClaimedUpload,
    multipart: UploadMultipart | null,
    sent: readonly SentPart[],
  ): Promise<void> {
    const { id } = upload.reservation;
    if (multipart) await this.recordParts(em, upload, sent);
    else this.assertAccepted();
    const present = await this.multiparts.listSentNumbers(em, id);
    if (present.length < partsOf(upload).count) throw fileErrors.UPLOAD_INCOMPLETE();
    await inTransaction(em, async (em) => {
      if (!(await this.resumableUploads.lockGeneration(em, upload))) throw fileErrors.UPLOAD_OFFSET();
      await this.multiparts.markDirectCompleting(em, id);
      await this.jobs.enqueue(em, checkDirectUpload, { uploadId: id });
    });
  }

  /** Records sent parts and extends the upload. */
  private async recordParts(em: EntityManager, upload: ClaimedUpload, sent: readonly SentPart[]): Promise<void> {
    const expiresAt = this.resumableUpload.getExpiry();
    await inTransaction(em, async (em) => {
      if (!(await this.resumableUploads.lockGeneration(em, upload))) throw fileErrors.UPLOAD_OFFSET();
      await this.multiparts.recordSentParts(em, upload.reservation.id, sent);
      await this.resumableUploads.extendExpiry(em, upload.id, expiresAt);
      await this.uploads.extendLeases(em, [upload.reservation.id], expiresAt);
    });
  }

  /** Returns the multipart upload of a direct upload, or begins it. */
  private async openMultipart(em: EntityManager, upload: ClaimedUpload): Promise<UploadMultipart> {
    const found = await this.findMultipart(em, upload);
    if (found?.isCompleting) throw fileErrors.UPLOAD_LOCKED();
    return found ?? this.beginMultipart(em, upload);
  }

  private async beginMultipart(em: EntityManager, upload: ClaimedUpload): Promise<UploadMultipart> {
    const objectKey = newObjectKey('files');
    const multipart = { objectKey, remoteId: await this.storage.beginMultipart(objectKey) };
    const { partBytes } = partsOf(upload);
    if (!(await this.multiparts.insertMultipart(em, upload, multipart, partBytes, true))) {
      await this.storage.abortMultipart(multipart);
      throw fileErrors.UPLOAD_OFFSET();
    }
    const { generation } = upload;
    return { ...multipart, generation, partBytes, isDirect: true, isCompleting: false, etags: [], sha256: null };
  }

  /** @throws UPLOAD_NOT_DIRECT if a request that sends bytes to the upload itself has begun one */
  private async findMultipart(em: EntityManager, upload: ClaimedUpload): Promise<UploadMultipart | null> {
    const multipart = await this.multiparts.findMultipart(em, upload.reservation.id);
    if (multipart && !multipart.isDirect) throw fileErrors.UPLOAD_NOT_DIRECT();
    return multipart;
  }

  private async signPart(upload: ActiveUpload, multipart: UploadMultipart, number: number): Promise<SignedPartDto> {
    const { partBytes } = multipart;
    const bytes = Math.min(partBytes, upload.length - (number - 1) * partBytes);
    const signed = await this.storage.signPart(multipart, number, bytes, PART_URL_LIFETIME);
    if (!signed) throw fileErrors.UPLOAD_NOT_DIRECT();
    return { number, ...signed };
  }

  private async discard(em: EntityManager, { objectKey, remoteId }: UploadMultipart): Promise<void> {
    await inTransaction(em, async (em) => {
      if (!(await this.multiparts.deleteDirect(em, objectKey))) return;
      await this.jobs.enqueue(em, deleteObjects, { objectKeys: [objectKey], multiparts: [{ objectKey, remoteId }] });
    });
  }

  /**
   * Returns an upload to which no bytes were sent itself.
   * @throws UPLOAD_NOT_FOUND, UPLOAD_NOT_DIRECT
   */
  private async findUnreceived(id: string, userId: number): Promise<ActiveUpload> {
    if (!isUploadId(id)) throw fileErrors.UPLOAD_NOT_FOUND();
    const upload: ResumableState = await this.resumableUpload.findUpload(id, userId);
    if (!isActive(upload) || upload.received > 0 || upload.length === 0) throw fileErrors.UPLOAD_NOT_DIRECT();
    return upload;
  }

  /** @throws UPLOAD_NOT_DIRECT */
  private assertAccepted(): void {
    if (!this.storage.acceptsDirectParts) throw fileErrors.UPLOAD_NOT_DIRECT();
  }

  private async withLock<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (!isUploadId(id)) throw fileErrors.UPLOAD_NOT_FOUND();
    const lock = this.locks.createLock(id);
    // The work is short, so others wait for it.
    await lock.lock(new AbortController().signal, () => undefined);
    try {
      return await work();
    } finally {
      await lock.unlock();
    }
  }
}

function partsOf({ length }: ActiveUpload): { partBytes: number; count: number } {
  const partBytes = partBytesOf(length);
  return { partBytes, count: Math.ceil(length / partBytes) };
}

/** @throws VALIDATION_FAILED */
function assertNumbers(upload: ActiveUpload, numbers: readonly number[]): void {
  const { count } = partsOf(upload);
  if (numbers.every((number) => number <= count)) return;
  throw fieldError('numbers', { en: `There are only ${count} parts`, tr: `Yalnızca ${count} parça var` });
}

/** Whether the user has to decide what becomes of a checked upload. */
function isRejection(error: unknown): boolean {
  return isPermanentFailure(error) || (error instanceof AppError && error.code === 'DUPLICATE_NAMES');
}
