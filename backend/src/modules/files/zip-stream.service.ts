import { finished } from 'node:stream/promises';
import { Readable, type Writable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { ZipArchive, type Archiver, type ZipEntryData } from 'archiver';
import { Storage } from '../../platform/storage/storage.js';
import { storageErrors } from '../../platform/storage/storage.errors.js';
import { ContentService } from './content.service.js';
import { FileAccessService, type ViewedFile } from './file-access.service.js';
import { mayDownload, type ZipPlan } from './zip-plan.service.js';

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
 * and what the reader does not take is not read. Deflated a little, because a stored file of unknown length is one that
 * some programs cannot unpack.
 */
@Injectable()
export class ZipStreamService {
  private readonly logger = new Logger(ZipStreamService.name);

  constructor(
    private readonly storage: Storage,
    private readonly access: FileAccessService,
    private readonly content: ContentService,
  ) {}

  /**
   * Writes an archive to somebody. Whether they may (still) download a file is asked shortly before it is read; what
   * went meanwhile is left out. When something fails after the first bytes, the target is destroyed: what has come is a
   * broken archive, and never a whole one that lacks files. A reader who goes away is no fault.
   * @throws STORAGE_UNAVAILABLE while nothing has been written
   */
  async write(plan: ZipPlan, reader: ZipReader, target: Writable): Promise<void> {
    const archive = new ZipArchive({ zlib: { level: 1 } });
    const writing = new Writing(archive, target);
    try {
      for (const { path, date } of plan.folders)
        await writing.add('', { name: path, date, type: 'directory' } as never);
      for (let at = 0; at < plan.files.length; at += BATCH) {
        await this.addBatch(plan.files.slice(at, at + BATCH), reader, writing);
      }
      await writing.end();
    } catch (error) {
      const written = archive.pointer() > 0;
      writing.stop();
      if (writing.gone) return;
      if (!written) throw error;
      this.logger.error({ err: error, zoneId: reader.zoneId }, 'An archive broke off');
      target.destroy();
    }
  }

  private async addBatch(files: ZipPlan['files'], reader: ZipReader, writing: Writing): Promise<void> {
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
          await writing.add(whole(bytes, file.size), { name: path, date });
        } else {
          const bytes = file.size === 0 ? Buffer.alloc(0) : await this.storage.readWhole(file.objectKey, file.size);
          await writing.add(bytes, { name: path, date, store: true });
        }
        sent.set(id, file);
      }
    } finally {
      await this.content.count([...sent.values()], 'download', reader.userId);
    }
  }
}

/** One archive on its way to its reader. */
class Writing {
  /** The reader went away. */
  gone = false;
  private readonly lost: Promise<never>;
  private source: Readable | null = null;

  constructor(
    private readonly archive: Archiver,
    private readonly target: Writable,
  ) {
    this.lost = new Promise<never>((_, reject) => {
      const leave = () => {
        // An answer that went out whole closes too.
        if (target.writableFinished) return;
        this.gone = true;
        reject(new Error('The reader of an archive went away.'));
      };
      if (target.destroyed) leave();
      target.once('close', leave);
      archive.once('error', reject);
    });
    // Met by whoever waits next; after the end nobody does.
    this.lost.catch(() => undefined);
    archive.pipe(target);
  }

  /** Adds an entry and waits until it was read to its end. */
  async add(source: Readable | Buffer | '', data: ZipEntryData): Promise<void> {
    this.source = source instanceof Readable ? source : null;
    await Promise.race([this.appended(source, data), this.lost]);
    this.source = null;
  }

  /** Writes the list of what is inside, without which it is no archive. */
  async end(): Promise<void> {
    await Promise.race([this.archive.finalize().then(() => finished(this.target)), this.lost]);
  }

  /** Lets everything go that is still open. */
  stop(): void {
    this.archive.unpipe(this.target);
    this.archive.on('error', () => undefined);
    this.archive.abort();
    this.archive.destroy();
    this.source?.destroy();
  }

  private appended(source: Readable | Buffer | '', data: ZipEntryData): Promise<void> {
    return new Promise((resolve, reject) => {
      if (source instanceof Readable) source.once('error', reject);
      this.archive.once('entry', () => resolve());
      this.archive.append(source, data);
    });
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
