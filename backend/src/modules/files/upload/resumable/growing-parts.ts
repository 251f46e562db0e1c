import type { EntityManager } from '@mikro-orm/postgresql';
import { SECOND } from '../../../../platform/clock/clock.js';
import type { FinishedObject, GrowingObject } from '../../../../platform/storage/growing-object.js';
import { newObjectKey, type Storage } from '../../../../platform/storage/storage.js';
import { ChunkSplitter } from '../../../../platform/streams/chunk-splitter.js';
import { consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import { MIB } from '../../../../platform/text/byte-units.js';
import { fileErrors } from '../../files.errors.js';
import type { ReceivedPart, UploadRepository } from '../upload.repository.js';
import type { ActiveUpload } from './resumable-upload.policy.js';

/**
 * A part ends with its request, or as soon as it has this many bytes and this much time has passed since it began. This
 * bounds what a crashed process can lose. A fast upload consists of a single part, which becomes the file without
 * copying.
 */
const MIN_PART_BYTES = 8 * MIB;
const MAX_PART_DURATION = 2 * SECOND;

/**
 * An object that grows in parts, for buckets, whose objects can't be extended. Each part is an object; its row is
 * written before it, so that it can be found. At the end the parts are joined.
 */
export class GrowingParts implements GrowingObject {
  size: number;
  private last: FinishedObject | null = null;

  constructor(
    private readonly em: EntityManager,
    private readonly uploads: UploadRepository,
    private readonly storage: Storage,
    private readonly upload: ActiveUpload,
  ) {
    this.size = upload.received;
  }

  /** @throws UPLOAD_NOT_FOUND if the upload was cleaned up */
  async append(source: AsyncIterable<Uint8Array>, onDurable: (size: number) => Promise<void>): Promise<void> {
    const bytes = new ChunkSplitter(source);
    while (await bytes.hasMore()) {
      this.last = await this.storePart(bytes);
      this.size += this.last.size;
      await onDurable(this.size);
    }
    if (bytes.failure) throw bytes.failure;
  }

  async finish(): Promise<FinishedObject> {
    const parts = await this.uploads.findReceivedParts(this.em, this.upload.reservation.id);
    if (parts.length === 1 && this.last) return this.last;
    const { objectKey } = this.upload.reservation;
    return { objectKey, ...(await this.storage.write(objectKey, readParts(this.storage, parts))) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** If this fails, the next writer deletes the part. */
  private async storePart(bytes: ChunkSplitter): Promise<FinishedObject> {
    const { length, reservation } = this.upload;
    const objectKey = newObjectKey('files');
    const id = await this.uploads.insertPart(this.em, reservation.id, objectKey, this.size);
    if (id === null) throw fileErrors.UPLOAD_NOT_FOUND();
    const bounds = { minBytes: MIN_PART_BYTES, maxBytes: length - this.size, maxDuration: MAX_PART_DURATION };
    const written = await this.storage.write(objectKey, bytes.nextChunk(bounds));
    if (!(await this.uploads.markPartReceived(this.em, id, written.size))) throw fileErrors.UPLOAD_NOT_FOUND();
    return { objectKey, ...written };
  }
}

/** Reads the bytes of parts, one part after the other. */
export async function* readParts(storage: Storage, parts: readonly ReceivedPart[]): AsyncGenerator<Uint8Array> {
  for (const { objectKey } of parts) {
    yield* consumeChunks((await storage.read(objectKey)) as AsyncIterable<Uint8Array>);
  }
}
