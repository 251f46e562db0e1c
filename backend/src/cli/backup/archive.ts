import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import { BackupError } from './backup.error.js';
import type { SchemaState } from './schema.js';

/** The first entry: enough to refuse an archive before anything is touched. */
export interface Manifest {
  readonly format: 1;
  readonly madeAt: string;
  /** Names of the migrations of the schema that the rows have. */
  readonly migrations: readonly string[];
  /** False when the contents lie in a bucket, which is not part of the archive. */
  readonly holdsObjects: boolean;
}

/** The last entry: without it the archive is not whole. */
export interface Closing {
  readonly rows: Readonly<Record<string, number>>;
  readonly objects: number;
}

export const entries = {
  manifest: 'manifest.json',
  secret: 'app-secret',
  schema: 'database/schema.json',
  rows: (table: string, part: number) => `database/rows/${table}/${String(part).padStart(6, '0')}`,
  object: (key: string) => `objects/${key}`,
  closing: 'closing.json',
};

export interface SchemaEntry {
  readonly state: SchemaState;
}

/** Writes a tar file under a draft's name; `finish` gives it its own, so that a broken one is never taken for whole. */
export class ArchiveWriter {
  private readonly pack = tar.pack();
  private readonly draft: string;
  private readonly written: Promise<void>;

  constructor(private readonly file: string) {
    this.draft = `${file}.part`;
    this.written = pipeline(this.pack, createWriteStream(this.draft, { flags: 'wx', mode: 0o600 }));
    // Awaited in finish(); a full disk must not end the process before.
    this.written.catch(() => undefined);
  }

  /** Adds an entry of a known size; waits until its bytes are taken. */
  async add(name: string, size: number, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const entry = this.pack.entry({ name, size, mode: 0o600 });
    const ended = once(entry, 'close');
    for await (const chunk of source) {
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), this.brokenOff()]);
    }
    entry.end(undefined);
    await Promise.race([ended, this.brokenOff()]);
  }

  addJson(name: string, value: unknown): Promise<void> {
    return this.addBytes(name, Buffer.from(JSON.stringify(value)));
  }

  addBytes(name: string, bytes: Buffer): Promise<void> {
    return this.add(name, bytes.length, [bytes]);
  }

  async finish(): Promise<void> {
    this.pack.finalize();
    await this.written;
    await rename(this.draft, this.file);
  }

  async discard(): Promise<void> {
    this.pack.destroy();
    await this.written.catch(() => undefined);
    await rm(this.draft, { force: true });
  }

  private async brokenOff(): Promise<never> {
    await this.written;
    throw new BackupError('The archive could not be written to its end.');
  }
}

export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The entries of an archive in their order; each must be read to its end before the next. */
export async function* readArchive(file: string): AsyncIterable<ArchiveEntry> {
  const extract = tar.extract();
  const fed = pipeline(createReadStream(file), extract as unknown as NodeJS.WritableStream);
  fed.catch((error: Error) => extract.destroy(error));
  for await (const entry of extract) yield { name: entry.header.name, bytes: entry as AsyncIterable<Buffer> };
  await fed;
}

/** The whole of a small entry. */
export async function textOf({ bytes }: ArchiveEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
