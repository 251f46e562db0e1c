import { Readable, type Writable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { Storage } from '../../../platform/storage/storage.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { ContentDeliveryService } from '../reading/content-delivery.service.js';
import { FileAccessService, type ViewedFile } from '../access/file-access.service.js';
import { canDownload, type ZipPlan } from './zip-plan.service.js';
import { ZipWriter } from './zip-writer.js';

/** Files up to this size are read at once and stored as they are: 10,000 of them would be slow as streams. */
const MAX_BUFFERED_BYTES = 64 * 1024;
/** Files whose reader is looked at, and which are counted, at a time. */
const BATCH_SIZE = 200;

/** For whom, and in which zone, an archive is made. */
export interface ZipRecipient {
  readonly zoneId: number;
  readonly userId: number;
}

/**
 * Writes archives while they are read: one file after the other comes from the storage, nothing is kept on the way,
 * and what the reader does not take is not read.
 */
@Injectable()
export class ZipStreamService {
  private readonly logger = new Logger(ZipStreamService.name);

  constructor(
    private readonly storage: Storage,
    private readonly access: FileAccessService,
    private readonly contentDelivery: ContentDeliveryService,
  ) {}

  /**
   * Writes an archive to somebody. Whether they may (still) download a file is asked shortly before it is read; what
   * went meanwhile is left out. When something fails after the first bytes, the target is destroyed: what has come is a
   * broken archive, and never a whole one that lacks files. A reader who goes away is no fault.
   * @throws STORAGE_UNAVAILABLE while nothing has been written
   */
  async writeArchive(plan: ZipPlan, recipient: ZipRecipient, target: Writable): Promise<void> {
    const archive = new ZipWriter(target);
    try {
      for (const { path, date } of plan.folders) await archive.addFolder(path, date);
      for (let at = 0; at < plan.files.length; at += BATCH_SIZE) {
        await this.addBatch(plan.files.slice(at, at + BATCH_SIZE), recipient, archive);
      }
      await archive.finishArchive();
    } catch (error) {
      if (archive.isClientGone) return;
      if (archive.written === 0) throw error;
      this.logger.error({ err: error, zoneId: recipient.zoneId }, 'An archive broke off');
      target.destroy();
    }
  }

  private async addBatch(files: ZipPlan['files'], recipient: ZipRecipient, archive: ZipWriter): Promise<void> {
    const ids = files.map(({ id }) => id);
    const found = await this.access.findFiles(ids, recipient.userId, recipient.zoneId);
    const readable = new Map(found.filter(canDownload).map((file) => [file.id, file]));
    const sent = new Map<number, ViewedFile>();
    try {
      for (const { id, path, date } of files) {
        const file = readable.get(id);
        if (!file) continue;
        if (file.size > MAX_BUFFERED_BYTES) {
          const bytes = await this.storage.read(file.objectKey);
          await archive.addStream(path, date, assertLength(bytes, file.size));
        } else {
          const bytes = file.size === 0 ? Buffer.alloc(0) : await this.storage.readWhole(file.objectKey, file.size);
          await archive.addBytes(path, date, bytes);
        }
        sent.set(id, file);
      }
    } finally {
      await this.contentDelivery.countOpenings([...sent.values()], 'download', recipient.userId);
    }
  }
}

/** The bytes of a file, which must be as many as it has: less of them is a fault and no shorter file. */
function assertLength(bytes: Readable, size: number): Readable {
  async function* counted() {
    let left = size;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      left -= chunk.byteLength;
      yield chunk;
    }
    if (left !== 0) throw storageErrors.STORAGE_UNAVAILABLE();
  }
  const stream = Readable.from(counted(), { objectMode: false, highWaterMark: 256 * 1024 });
  return stream.once('close', () => bytes.destroy());
}
