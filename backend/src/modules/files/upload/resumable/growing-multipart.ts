import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { JobsService } from '../../../../platform/jobs/jobs.service.js';
import type { FinishedObject, GrowingObject } from '../../../../platform/storage/growing-object.js';
import type { KeptHashes } from '../../../../platform/storage/kept-hashes.js';
import type { Multipart } from '../../../../platform/storage/multipart.js';
import { storageErrors } from '../../../../platform/storage/storage.errors.js';
import { newObjectKey, type Storage } from '../../../../platform/storage/storage.js';
import { consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import { untilFailure } from '../../../../platform/streams/until-failure.js';
import { MIB } from '../../../../platform/text/byte-units.js';
import { fileErrors } from '../../files.errors.js';
import { deleteObjects } from '../../files.jobs.js';
import type { OtherObjects, ReceivedPart, UploadRepository } from '../upload.repository.js';
import type { ResumableUploadRepository } from './resumable-upload.repository.js';
import type { ClaimedUpload } from './resumable-upload.policy.js';
import type { UploadMultipart, UploadMultipartRepository } from './upload-multipart.repository.js';

/** Services allow 10,000 parts of at least 5 MiB each. */
const MIN_PART_BYTES = 8 * MIB;
const MAX_PARTS = 9000;
/** Sent as the last part of a multipart upload that is completed early. */
const FILLER = Buffer.alloc(1);
/** How often that is tried: a part of the former writer may replace the filler each time. */
const FREEZE_ATTEMPTS = 3;

/** What a growing object works with. */
export interface MultipartContext {
  readonly em: EntityManager;
  readonly storage: Storage;
  readonly uploads: UploadRepository;
  readonly resumableUploads: ResumableUploadRepository;
  readonly multiparts: UploadMultipartRepository;
  readonly jobs: JobsService;
  readonly hashes: KeptHashes;
}

/**
 * An upload that grows in a multipart upload of a bucket (ADR 0058). A part is sent as soon as it is full, and counts
 * once its row is written. What doesn't fill a part at the end of a request is stored as an object of its own, and is
 * put in front of the next request's bytes. A small upload is such an object only.
 */
export class GrowingMultipart implements GrowingObject {
  size: number;
  private buffered: Uint8Array[] = [];
  private bufferedBytes = 0;
  /** Bytes that the hash includes; those before are not hashed again when they are read back. */
  private hashedSize: number;
  private durable: number;
  private sending: Promise<void> = Promise.resolve();
  private onDurable: (size: number) => Promise<void> = () => Promise.resolve();
  private isReusable = true;
  private readonly etags: string[];

  private constructor(
    private readonly context: MultipartContext,
    private readonly upload: ClaimedUpload,
    private multipart: Multipart | null,
    private readonly partBytes: number,
    etags: readonly string[],
    private hash: Hash | null,
  ) {
    this.etags = [...etags];
    this.size = this.sentSize;
    this.durable = upload.received;
    this.hashedSize = this.size;
  }

  /**
   * Opens a claimed upload at its offset. The multipart upload of a writer that may still be active, of a browser, or
   * that was completed without becoming a file, is replaced.
   * @returns null when bytes that were received are missing
   */
  static async open(
    context: MultipartContext,
    upload: ClaimedUpload,
    { hasMultipart, hasParts }: OtherObjects,
  ): Promise<GrowingMultipart | null> {
    const { em, uploads, multiparts, hashes } = context;
    const { received, generation, reservation } = upload;
    if (hasParts) await removeUncountedParts(context, upload);
    const found = hasMultipart ? await multiparts.findMultipart(em, reservation.id) : null;
    const isUsable = found !== null && found.generation === generation && !found.isCompleting && !found.isDirect;
    if (found && !isUsable && !(await replaceMultipart(context, upload, found))) return null;
    const multipart = isUsable ? found : null;
    const etags = multipart ? countedEtags(multipart, received) : [];
    const kept = hashes.take(reservation.objectKey, received, generation);
    const hash = kept ?? (etags.length === 0 ? createHash('sha256') : null);
    const partBytes = multipart?.partBytes ?? partBytesOf(upload.length);
    const object = new GrowingMultipart(context, upload, multipart, partBytes, etags, hash);
    if (kept) object.hashedSize = received;
    // The replacement of a multipart upload leaves a part.
    const parts = hasParts || found ? await uploads.findReceivedParts(em, reservation.id) : [];
    return (await object.readBack(parts)) ? object : null;
  }

  async append(source: AsyncIterable<Uint8Array>, onDurable: (size: number) => Promise<void>): Promise<void> {
    this.onDurable = onDurable;
    const sourceFailures: unknown[] = [];
    await this.stopAfterFailure(async () => {
      for await (const chunk of untilFailure(source, (error) => sourceFailures.push(error))) await this.push(chunk);
      await this.sending;
      if (this.size < this.upload.length) await this.storeRest();
    });
    if (sourceFailures.length > 0) throw sourceFailures[0];
  }

  async finish(): Promise<FinishedObject | null> {
    this.isReusable = false;
    const { em, storage, multiparts } = this.context;
    const last = Buffer.concat(this.buffered);
    if (!this.multipart) return this.finishSmall(last);
    await this.sendPart(last);
    if (!(await multiparts.markCompleting(em, this.upload))) return null;
    if (!(await storage.completeMultipart(this.multipart, this.etags, this.size))) return null;
    const { objectKey } = this.multipart;
    const sha256 = this.hash ? this.hash.digest('hex') : await this.hashObject(objectKey);
    return { objectKey, size: this.size, sha256 };
  }

  close(): Promise<void> {
    const { generation, reservation } = this.upload;
    if (this.hash && this.isReusable) {
      this.context.hashes.keep(reservation.objectKey, { hash: this.hash, size: this.hashedSize, generation });
    }
    return Promise.resolve();
  }

  /** Bytes in parts. */
  private get sentSize(): number {
    return this.etags.length * this.partBytes;
  }

  /** Appends the bytes that are stored in objects of their own, up to the offset. */
  private async readBack(parts: readonly ReceivedPart[]): Promise<boolean> {
    const { em, storage, uploads, jobs } = this.context;
    const { received, reservation } = this.upload;
    return this.stopAfterFailure(async () => {
      while (this.size < received) {
        const part = parts.find(({ start, size }) => start <= this.size && this.size < start + size);
        if (!part || !(await storage.stat(part.objectKey))) return false;
        const end = Math.min(part.start + part.size, received);
        for await (const chunk of readRange(storage, part, this.size, end)) await this.push(chunk);
        if (this.size < end) throw storageErrors.STORAGE_UNAVAILABLE();
      }
      await this.sending;
      if (parts.length === 0) return true;
      await inTransaction(em, async (em) => {
        const objectKeys = await uploads.deletePartsBefore(em, reservation.id, this.sentSize);
        if (objectKeys.length > 0) await jobs.enqueue(em, deleteObjects, { objectKeys });
      });
      return true;
    });
  }

  /** Buffers a copy of the bytes, and waits when they arrive faster than the bucket takes them. */
  private async push(chunk: Uint8Array): Promise<void> {
    const unhashed = chunk.subarray(Math.max(0, this.hashedSize - this.size));
    this.hash?.update(unhashed);
    this.size += chunk.byteLength;
    this.hashedSize = Math.max(this.hashedSize, this.size);
    this.buffered.push(Buffer.from(chunk));
    this.bufferedBytes += chunk.byteLength;
    // The last part is sent by `finish`.
    while (this.bufferedBytes >= this.partBytes && this.size - this.bufferedBytes + this.partBytes < this.upload.length)
      await this.startPart();
  }

  /** At most two parts are in memory: one being sent and one being filled. */
  private async startPart(): Promise<void> {
    await this.sending;
    const bytes = Buffer.concat(this.buffered);
    const rest = bytes.subarray(this.partBytes);
    this.buffered = [rest];
    this.bufferedBytes = rest.length;
    this.sending = this.sendPart(bytes.subarray(0, this.partBytes));
    // The next await of `sending` reports the error.
    this.sending.catch(() => undefined);
  }

  /**
   * One part at a time is sent, recorded and counted, so that a writer that died or is suspended has at most one part
   * in the bucket that doesn't count.
   */
  private async sendPart(bytes: Buffer<ArrayBuffer>): Promise<void> {
    const { em, storage, multiparts } = this.context;
    this.multipart ??= await this.beginMultipart();
    const etag = await storage.sendPart(this.multipart, this.etags.length + 1, bytes);
    if (etag === null) {
      // The next request finds out what became of it.
      await multiparts.markCompleting(em, this.upload);
      throw storageErrors.STORAGE_UNAVAILABLE();
    }
    const isRecorded = await multiparts.recordPart(em, this.upload, this.etags.length + 1, etag);
    if (!isRecorded) throw fileErrors.UPLOAD_OFFSET();
    this.etags.push(etag);
    await this.reportDurable(Math.min(this.sentSize, this.upload.length));
  }

  private async beginMultipart(): Promise<Multipart> {
    const { em, storage, multiparts } = this.context;
    const objectKey = newObjectKey('files');
    const multipart = { objectKey, remoteId: await storage.beginMultipart(objectKey) };
    if (await multiparts.insertMultipart(em, this.upload, multipart, this.partBytes)) return multipart;
    await storage.abortMultipart(multipart);
    throw fileErrors.UPLOAD_OFFSET();
  }

  /** Stores what doesn't fill a part, together with what was stored this way before. */
  private async storeRest(): Promise<void> {
    if (this.bufferedBytes === 0 || this.size === this.durable) return;
    const { em, storage, uploads, resumableUploads, jobs } = this.context;
    const { id } = this.upload.reservation;
    const { partId, objectKey } = await this.insertObject();
    const { size } = await storage.write(objectKey, toSource(this.buffered));
    await inTransaction(em, async (em) => {
      if (!(await resumableUploads.lockGeneration(em, this.upload))) throw fileErrors.UPLOAD_OFFSET();
      const objectKeys = await uploads.deleteOtherParts(em, id, partId);
      if (objectKeys.length > 0) await jobs.enqueue(em, deleteObjects, { objectKeys });
      if (!(await uploads.markPartReceived(em, partId, size))) throw fileErrors.UPLOAD_NOT_FOUND();
    });
    await this.reportDurable(this.size);
  }

  private async finishSmall(bytes: Buffer<ArrayBuffer>): Promise<FinishedObject> {
    const { objectKey } = await this.insertObject();
    const { size } = await this.context.storage.write(objectKey, toSource([bytes]));
    return { objectKey, size, sha256: this.hash!.digest('hex') };
  }

  /** Inserts the row of an object that holds the bytes after the parts, before the object is written. */
  private async insertObject(): Promise<{ partId: number; objectKey: string }> {
    const objectKey = newObjectKey('files');
    const { em, uploads } = this.context;
    const partId = await uploads.insertPart(em, this.upload.reservation.id, objectKey, this.sentSize);
    if (partId === null) throw fileErrors.UPLOAD_NOT_FOUND();
    return { partId, objectKey };
  }

  private async reportDurable(size: number): Promise<void> {
    if (size <= this.durable) return;
    await this.onDurable(size);
    this.durable = size;
  }

  /** After a failure nothing is being sent any more, and the hash may be ahead of what is stored. */
  private async stopAfterFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.isReusable = false;
      await this.sending.catch(() => undefined);
      throw error;
    }
  }

  /** Reads the object again: its first bytes were received by another process, or long ago. */
  private async hashObject(objectKey: string): Promise<string> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of consumeChunks((await this.context.storage.read(objectKey)) as AsyncIterable<Buffer>)) {
      hash.update(chunk);
      size += chunk.byteLength;
    }
    if (size !== this.size) throw storageErrors.STORAGE_UNAVAILABLE();
    return hash.digest('hex');
  }
}

/** Size of the parts of an upload, in bytes. */
export function partBytesOf(length: number): number {
  return Math.max(MIN_PART_BYTES, Math.ceil(length / MAX_PARTS / MIB) * MIB);
}

/** ETags of the parts up to the offset; the next part is sent again, under the same number. */
function countedEtags({ etags, partBytes }: UploadMultipart, received: number): readonly string[] {
  return etags.slice(0, Math.floor(received / partBytes));
}

/** Removes objects whose bytes were not counted: their writer failed, died or was succeeded. */
async function removeUncountedParts({ em, uploads, jobs }: MultipartContext, upload: ClaimedUpload): Promise<void> {
  await inTransaction(em, async (em) => {
    const objectKeys = await uploads.deleteUncountedParts(em, upload.reservation.id, upload.received);
    if (objectKeys.length > 0) await jobs.enqueue(em, deleteObjects, { objectKeys });
  });
}

/**
 * Replaces a multipart upload to which a former writer may still send parts. The parts that count become an object, from
 * which the next multipart upload is filled; the former one no longer exists then, and accepts nothing.
 * @returns false when its parts are missing
 */
async function replaceMultipart(
  context: MultipartContext,
  upload: ClaimedUpload,
  multipart: UploadMultipart,
): Promise<boolean> {
  const { em, uploads, resumableUploads, multiparts, jobs } = context;
  const { id } = upload.reservation;
  const { objectKey, remoteId } = multipart;
  const etags = countedEtags(multipart, upload.received);
  const size = etags.length * multipart.partBytes;
  // It was being filled from an object that still exists.
  const parts = await uploads.findReceivedParts(em, id);
  const isExpendable = size === 0 || parts.some((part) => part.start === 0 && part.size >= size);
  if (!isExpendable && !(await freeze(context, multipart, etags, size))) return false;
  await inTransaction(em, async (em) => {
    if (!(await resumableUploads.lockGeneration(em, upload))) throw fileErrors.UPLOAD_OFFSET();
    await multiparts.deleteMultipart(em, id);
    if (isExpendable) {
      await jobs.enqueue(em, deleteObjects, { objectKeys: [objectKey], multiparts: [{ objectKey, remoteId }] });
      return;
    }
    const objectKeys = await uploads.deletePartsBefore(em, id, size);
    if (objectKeys.length > 0) await jobs.enqueue(em, deleteObjects, { objectKeys });
    const partId = await uploads.insertPart(em, id, objectKey, 0);
    if (partId === null || !(await uploads.markPartReceived(em, partId, size))) throw fileErrors.UPLOAD_NOT_FOUND();
  });
  return true;
}

/**
 * Completes a multipart upload with the parts that count. A filler replaces the part after them that the former writer
 * may have sent, because some services complete only all parts that they have.
 * @returns false when the parts are missing
 */
async function freeze(
  { storage }: MultipartContext,
  multipart: UploadMultipart,
  etags: readonly string[],
  size: number,
): Promise<boolean> {
  for (let attempt = 0; attempt < FREEZE_ATTEMPTS; attempt++) {
    // The former writer may have completed it, or another attempt whose response was lost.
    const found = await storage.stat(multipart.objectKey);
    if (found) return found.size >= size;
    if (await completeWithFiller(storage, multipart, etags, size)) return true;
  }
  return false;
}

async function completeWithFiller(
  storage: Storage,
  multipart: Multipart,
  etags: readonly string[],
  size: number,
): Promise<boolean> {
  const filler = await storage.sendPart(multipart, etags.length + 1, FILLER);
  return filler !== null && storage.completeMultipart(multipart, [...etags, filler], size + FILLER.length);
}

/** Reads the bytes of an upload from an object that holds some of them. The object may be longer than the part. */
async function* readRange(
  storage: Storage,
  { objectKey, start }: ReceivedPart,
  from: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  // Without a range where possible, because some services don't answer ranges of one byte.
  const range = from > start ? { start: from - start, end: end - start - 1 } : undefined;
  const source = (await storage.read(objectKey, range)) as AsyncIterable<Uint8Array>;
  let remaining = end - from;
  for await (const chunk of source) {
    yield chunk.subarray(0, remaining);
    remaining -= chunk.byteLength;
    if (remaining <= 0) return;
  }
}

async function* toSource(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
