import { Readable, type Writable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { Storage } from '../../../platform/storage/storage.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { ContentReader } from '../reading/content-reader.service.js';
import { FileAccessService, type ViewedFile } from '../access/file-access.service.js';
import { mayDownload, type ZipPlan } from './zip-planner.service.js';
import { ZipWriter } from './zip-writer.js';

/** Files up to this size are read at once and stored as they are: 10,000 of them would be slow as streams. */
const SMALL = 64 * 1024;
/** Files whose reader is looked at, and which are counted, at a time. */
const BATCH = 200;

/** For whom, and in which zone, an archive is made. */
export interface ZipReader {
  readonly zoneId: number;
  readonly userId: number;
}

/**
 * Writes archives while they are read: one file after the other comes from the storage, nothing is kept on the way,
 * and what the reader does not take is not read.
 */
@Injectable()
export class ZipStreamer {
  private readonly logger = new Logger(ZipStreamer.name);

  constructor(
    private readonly storage: Storage,
    private readonly access: FileAccessService,
    private readonly content: ContentReader,
  ) {}

  /**
   * Writes an archive to somebody. Whether they may (still) download a file is asked shortly before it is read; what
   * went meanwhile is left out. When something fails after the first bytes, the target is destroyed: what has come is a
   * broken archive, and never a whole one that lacks files. A reader who goes away is no fault.
   * @throws STORAGE_UNAVAILABLE while nothing has been written
   */
  async write(plan: ZipPlan, reader: ZipReader, target: Writable): Promise<void> {
    const archive = new ZipWriter(target);
    try {
      for (const { path, date } of plan.folders) await archive.folder(path, date);
      for (let at = 0; at < plan.files.length; at += BATCH) {
        await this.addBatch(plan.files.slice(at, at + BATCH), reader, archive);
      }
      await archive.end();
    } catch (error) {
      if (archive.gone) return;
      if (archive.written === 0) throw error;
      this.logger.error({ err: error, zoneId: reader.zoneId }, 'An archive broke off');
      target.destroy();
    }
  }

  private async addBatch(files: ZipPlan['files'], reader: ZipReader, archive: ZipWriter): Promise<void> {
    const ids = files.map(({ id }) => id);
    const found = await this.access.findFiles(ids, reader.userId, reader.zoneId);
    const readable = new Map(found.filter(mayDownload).map((file) => [file.id, file]));
    const sent = new Map<number, ViewedFile>();
    try {
      for (const { id, path, date } of files) {
        const file = readable.get(id);
        if (!file) continue;
        if (file.size > SMALL) {
          const bytes = await this.storage.read(file.objectKey);
          await archive.stream(path, date, whole(bytes, file.size));
        } else {
          const bytes = file.size === 0 ? Buffer.alloc(0) : await this.storage.readWhole(file.objectKey, file.size);
          await archive.bytes(path, date, bytes);
        }
        sent.set(id, file);
      }
    } finally {
      await this.content.count([...sent.values()], 'download', reader.userId);
    }
  }
}

/** The bytes of a file, which must be as many as it has: less of them is a fault and no shorter file. */
function whole(bytes: Readable, size: number): Readable {
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
