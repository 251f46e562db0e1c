import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { PacedWriter } from '../../../platform/streams/paced-writer.js';
import { storedBlocks, STORED_END, descriptor, ending, listed, localHeader, type ZipRecord } from './zip-format.js';

/** The list at the end is kept in pieces of this size. */
const PAGE = 64 * 1024;

/** Deflating is done when it leaves less than this part of the beginning. */
const WORTH_IT = 0.9;

/** The reader of an archive went away. */
export class ReaderGone extends Error {}

/**
 * Writes a zip archive (APPNOTE 6.3, with the fields for large ones) while it is read. Of each entry only its line of
 * the list at the end is kept, some hundred bytes, so that memory hardly grows with their number.
 */
export class ZipWriter {
  /** Bytes that were given to the reader. */
  written = 0;
  private entries = 0;
  private readonly pages: Buffer[] = [];
  private page = Buffer.alloc(PAGE);
  private filled = 0;
  private source: Readable | null = null;
  private readonly writer: PacedWriter;

  constructor(private readonly target: Writable) {
    this.writer = new PacedWriter(target);
    target.once('close', () => this.source?.destroy(new ReaderGone()));
  }

  /** True when the reader has left before the end. */
  get gone(): boolean {
    return this.target.destroyed && !this.target.writableFinished;
  }

  /** @param path ends with a slash */
  folder(path: string, date: Date): Promise<void> {
    return this.bytes(path, date, Buffer.alloc(0));
  }

  /** Adds a small file as it is. */
  async bytes(path: string, date: Date, content: Buffer): Promise<void> {
    const sums = { crc: crc32(content), packed: content.length, size: content.length };
    const record = { ...this.begin(path, date), ...sums, isDeflated: false, isTold: false };
    await this.send(Buffer.concat([localHeader(record), content]));
    this.list(record);
  }

  /**
   * Adds a file as it comes. What its beginning shows to be compressed already is only framed, the rest deflated a
   * little; both are told as deflated, because an entry that is told as stored and whose length follows is one that
   * some programs cannot unpack. The source is destroyed, whatever happens.
   */
  async stream(path: string, date: Date, source: Readable): Promise<void> {
    this.source = source;
    try {
      const begun = { ...this.begin(path, date), isDeflated: true, isTold: true, crc: 0, packed: 0, size: 0 };
      await this.send(localHeader(begun));
      const record = { ...begun, ...(await this.pack(source)) };
      await this.send(descriptor(record));
      this.list(record);
    } finally {
      source.destroy();
      this.source = null;
    }
  }

  /** Writes the list of what is inside, without which it is no archive, and resolves when all has gone out. */
  async end(): Promise<void> {
    const at = this.written;
    for (const page of [...this.pages, this.page.subarray(0, this.filled)]) await this.send(page);
    await this.send(ending(this.entries, at, this.written - at));
    this.target.end();
    await finished(this.target);
  }

  private async pack(source: Readable): Promise<{ crc: number; packed: number; size: number }> {
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
    await (done || shrinks(first) ? this.deflate(counted) : this.store(counted));
    return { crc, size, packed: this.written - from };
  }

  private async deflate(chunks: () => AsyncIterable<Buffer>): Promise<void> {
    const deflated = createDeflateRaw({ level: 1, chunkSize: PAGE });
    const feeding = pipeline(chunks, deflated);
    // Its fault ends what is read here too.
    feeding.catch(() => undefined);
    for await (const chunk of deflated as AsyncIterable<Buffer>) await this.send(chunk);
    await feeding;
  }

  private async store(chunks: () => AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks()) {
      for (const piece of storedBlocks(chunk)) await this.send(piece);
    }
    await this.send(STORED_END);
  }

  private begin(path: string, date: Date) {
    return { path: Buffer.from(path), date, offset: this.written };
  }

  private list(record: ZipRecord): void {
    const line = listed(record);
    if (this.filled + line.length > PAGE) {
      this.pages.push(this.page.subarray(0, this.filled));
      this.page = Buffer.alloc(PAGE);
      this.filled = 0;
    }
    this.filled += line.copy(this.page, this.filled);
    this.entries++;
  }

  /** @throws ReaderGone */
  private async send(bytes: Buffer): Promise<void> {
    if (this.target.destroyed) throw new ReaderGone();
    this.written += bytes.length;
    if (!(await this.writer.write(bytes))) throw new ReaderGone();
  }
}

/** Whether deflating pays, by the beginning of a file: photographs, films and archives come out no smaller. */
function shrinks(first: Buffer): boolean {
  const sample = first.subarray(0, PAGE);
  return deflateRawSync(sample, { level: 1 }).length < sample.length * WORTH_IT;
}
