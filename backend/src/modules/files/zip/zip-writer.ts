import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { BackpressureWriter } from '../../../platform/streams/backpressure-writer.js';
import {
  storedBlocks,
  FINAL_EMPTY_BLOCK,
  dataDescriptor,
  endOfCentralDirectory,
  centralDirectoryHeader,
  localFileHeader,
  type ZipRecord,
} from './zip-format.js';

/** Buffer size for the central directory. */
const BUFFER_BYTES = 64 * 1024;

/** Data is deflated if its beginning compresses to less than this ratio. */
const MAX_COMPRESSION_RATIO = 0.9;

/** The client disconnected while the archive was being written. */
export class ClientDisconnectedError extends Error {}

/**
 * Streams a zip archive (APPNOTE 6.3, with ZIP64). Keeps only the central directory entries in memory, about a hundred
 * bytes each, so that memory hardly grows with the number of entries.
 */
export class ZipWriter {
  /** Bytes passed to the target. */
  written = 0;
  private entries = 0;
  private readonly fullBuffers: Buffer[] = [];
  private currentBuffer = Buffer.alloc(BUFFER_BYTES);
  private bufferedBytes = 0;
  private source: Readable | null = null;
  private readonly writer: BackpressureWriter;

  constructor(private readonly target: Writable) {
    this.writer = new BackpressureWriter(target);
    target.once('close', () => this.source?.destroy(new ClientDisconnectedError()));
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
    const sums = { crc: crc32(content), compressedSize: content.length, size: content.length };
    const record = { ...this.createEntry(path, date), ...sums, isDeflated: false, hasDataDescriptor: false };
    await this.writeBytes(Buffer.concat([localFileHeader(record), content]));
    this.addToDirectory(record);
  }

  /**
   * Adds a file as a stream. If its beginning shows that it is already compressed, it is only wrapped in stored blocks;
   * otherwise it is deflated at a low level. Both are declared as deflated, because some programs can't unpack stored
   * entries whose length follows the data. The source is always destroyed.
   */
  async addStream(path: string, date: Date, source: Readable): Promise<void> {
    this.source = source;
    try {
      const entry = {
        ...this.createEntry(path, date),
        isDeflated: true,
        hasDataDescriptor: true,
        crc: 0,
        compressedSize: 0,
        size: 0,
      };
      await this.writeBytes(localFileHeader(entry));
      const record = { ...entry, ...(await this.compressStream(source)) };
      await this.writeBytes(dataDescriptor(record));
      this.addToDirectory(record);
    } finally {
      source.destroy();
      this.source = null;
    }
  }

  /** Writes the central directory and resolves once everything is flushed. */
  async finishArchive(): Promise<void> {
    const at = this.written;
    for (const page of [...this.fullBuffers, this.currentBuffer.subarray(0, this.bufferedBytes)])
      await this.writeBytes(page);
    await this.writeBytes(endOfCentralDirectory(this.entries, at, this.written - at));
    this.target.end();
    await finished(this.target);
  }

  private async compressStream(source: Readable): Promise<{ crc: number; compressedSize: number; size: number }> {
    let [crc, size] = [0, 0];
    const from = this.written;
    const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const { done, value: first } = await chunks.next();
    const counted = async function* () {
      for (let chunk = done ? null : first; chunk;) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        yield chunk;
        const next = await chunks.next();
        chunk = next.done ? null : next.value;
      }
    };
    await (done || isCompressible(first) ? this.deflateChunks(counted) : this.storeChunks(counted));
    return { crc, size, compressedSize: this.written - from };
  }

  private async deflateChunks(chunks: () => AsyncIterable<Buffer>): Promise<void> {
    const deflated = createDeflateRaw({ level: 1, chunkSize: BUFFER_BYTES });
    const writing = pipeline(chunks, deflated);
    // Errors also end the loop below.
    writing.catch(() => undefined);
    for await (const chunk of deflated as AsyncIterable<Buffer>) await this.writeBytes(chunk);
    await writing;
  }

  private async storeChunks(chunks: () => AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks()) {
      for (const block of storedBlocks(chunk)) await this.writeBytes(block);
    }
    await this.writeBytes(FINAL_EMPTY_BLOCK);
  }

  private createEntry(path: string, date: Date) {
    return { path: Buffer.from(path), date, offset: this.written };
  }

  private addToDirectory(record: ZipRecord): void {
    const line = centralDirectoryHeader(record);
    if (this.bufferedBytes + line.length > BUFFER_BYTES) {
      this.fullBuffers.push(this.currentBuffer.subarray(0, this.bufferedBytes));
      this.currentBuffer = Buffer.alloc(BUFFER_BYTES);
      this.bufferedBytes = 0;
    }
    this.bufferedBytes += line.copy(this.currentBuffer, this.bufferedBytes);
    this.entries++;
  }

  /** @throws ClientDisconnectedError */
  private async writeBytes(bytes: Buffer): Promise<void> {
    if (this.target.destroyed) throw new ClientDisconnectedError();
    this.written += bytes.length;
    if (!(await this.writer.write(bytes))) throw new ClientDisconnectedError();
  }
}

/**
 * Whether deflating is worthwhile, judged by the beginning of a file: photos, videos and archives don't get smaller.
 */
function isCompressible(first: Buffer): boolean {
  const sample = first.subarray(0, BUFFER_BYTES);
  return deflateRawSync(sample, { level: 1 }).length < sample.length * MAX_COMPRESSION_RATIO;
}
