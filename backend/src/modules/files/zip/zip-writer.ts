import { pipeline, type Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { BackpressureWriter } from '../../../platform/streams/backpressure-writer.js';
import {
  centralDirectoryHeader,
  dataDescriptor,
  endOfCentralDirectory,
  localFileHeader,
  storedBlocks,
  type ZipRecord,
} from './zip-format.js';

/** Buffer size of the deflate stream, and of the sample that decides whether a file is compressed. */
const CHUNK_BYTES = 64 * 1024;
/** Data is compressed if its beginning compresses to less than this ratio. */
const MAX_COMPRESSION_RATIO = 0.9;
/** Entries of the central directory that are joined into one buffer, because 50,000 small buffers take more memory. */
const ENTRIES_PER_PAGE = 500;

/** The client disconnected while the archive was being written. */
export class ClientDisconnectedError extends Error {}

/**
 * Streams a zip archive (APPNOTE 6.3, with ZIP64). Of each entry it keeps only the bytes of the central directory, about
 * a hundred, so that memory hardly grows with the number of entries.
 */
export class ZipWriter {
  /** Bytes passed to the target. */
  written = 0;
  private entryCount = 0;
  private readonly directoryPages: Buffer[] = [];
  private currentPage: Buffer[] = [];
  private readonly writer: BackpressureWriter;

  constructor(private readonly target: Writable) {
    this.writer = new BackpressureWriter(target);
  }

  /** True if the client disconnected before the end. */
  get isClientGone(): boolean {
    return this.target.destroyed && !this.target.writableFinished;
  }

  /** @param path ends with a slash */
  addFolder(path: string, date: Date): Promise<void> {
    return this.addBytes(path, date, Buffer.alloc(0));
  }

  /** Adds a small file uncompressed. */
  async addBytes(path: string, date: Date, content: Buffer): Promise<void> {
    const { length: size } = content;
    const entry = {
      ...this.createEntry(path, date, size),
      isStreamed: false,
      crc: crc32(content),
      compressedSize: size,
    };
    await this.writeBytes(Buffer.concat([localFileHeader(entry), content]));
    this.addToDirectory(entry);
  }

  /**
   * Adds a file as a deflate stream, even if it isn't compressed: some programs can't unpack stored entries whose
   * checksum follows the data. The source is always destroyed.
   * @throws STORAGE_UNAVAILABLE if the source doesn't have the given size in bytes; ClientDisconnectedError
   */
  async addStream(path: string, date: Date, source: Readable, size: number): Promise<void> {
    const closeSource = () => source.destroy(new ClientDisconnectedError());
    this.target.once('close', closeSource);
    try {
      const header = { ...this.createEntry(path, date, size), isStreamed: true, crc: 0, compressedSize: 0 };
      await this.writeBytes(localFileHeader(header));
      const entry = { ...header, ...(await this.writeData(source, size)) };
      await this.writeBytes(dataDescriptor(entry));
      this.addToDirectory(entry);
    } finally {
      this.target.off('close', closeSource);
      source.destroy();
    }
  }

  /** Writes the central directory and resolves once everything is flushed. */
  async finishArchive(): Promise<void> {
    const offset = this.written;
    for (const bytes of [...this.directoryPages, ...this.currentPage]) await this.writeBytes(bytes);
    await this.writeBytes(endOfCentralDirectory(this.entryCount, offset, this.written - offset));
    this.target.end();
    await finished(this.target);
  }

  private async writeData(source: Readable, size: number): Promise<Pick<ZipRecord, 'crc' | 'compressedSize'>> {
    const offset = this.written;
    const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const first = await chunks.next();
    let crc = 0;
    const checkedChunks = async function* () {
      let missing = size;
      for (let next = first; !next.done; next = await chunks.next()) {
        crc = crc32(next.value, crc);
        missing -= next.value.length;
        yield next.value;
      }
      if (missing !== 0) throw storageErrors.STORAGE_UNAVAILABLE();
    };
    const deflate = first.done || isCompressible(first.value) ? compressChunks : storedBlocks;
    for await (const bytes of deflate(checkedChunks())) await this.writeBytes(bytes);
    return { crc, compressedSize: this.written - offset };
  }

  private createEntry(path: string, date: Date, size: number) {
    return { path: Buffer.from(path), date, offset: this.written, size };
  }

  private addToDirectory(entry: ZipRecord): void {
    this.entryCount++;
    this.currentPage.push(centralDirectoryHeader(entry));
    if (this.currentPage.length === ENTRIES_PER_PAGE)
      this.directoryPages.push(Buffer.concat(this.currentPage.splice(0)));
  }

  /** @throws ClientDisconnectedError */
  private async writeBytes(bytes: Buffer): Promise<void> {
    this.written += bytes.length;
    if (!(await this.writer.write(bytes))) throw new ClientDisconnectedError();
  }
}

function compressChunks(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  // The reader gets the errors, because they destroy the stream.
  return pipeline(chunks, createDeflateRaw({ level: 1, chunkSize: CHUNK_BYTES }), () => undefined);
}

/**
 * Whether compression is worthwhile, judged by the beginning of a file: photos, videos and archives don't get smaller.
 */
function isCompressible(first: Buffer): boolean {
  const sample = first.subarray(0, CHUNK_BYTES);
  return deflateRawSync(sample, { level: 1 }).length < sample.length * MAX_COMPRESSION_RATIO;
}
