import { once } from 'node:events';
import { createReadStream, createWriteStream, readdirSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import { CommandError } from './run-command.js';
import type { SchemaState } from './schema.js';

/** The first entry, with everything needed to reject an archive before any change is made. */
export interface ArchiveManifest {
  readonly format: 1;
  readonly madeAt: string;
  /** Names of the migrations that the rows' schema has. */
  readonly migrations: readonly string[];
  /** False when files are stored in a bucket, which isn't part of the archive. */
  readonly includesObjects: boolean;
}

/** The last entry; without it the archive is incomplete. */
export interface ArchiveSummary {
  readonly rows: Readonly<Record<string, number>>;
  readonly objects: number;
}

export const archiveEntries = {
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

/**
 * Writes a tar file under a temporary name, which `finish` renames, so that an incomplete file isn't taken for a
 * backup.
 */
export class ArchiveWriter {
  private readonly pack = tar.pack();
  private readonly draft: string | null;
  private readonly finished: Promise<void>;

  /** @param target a file, or a stream */
  constructor(private readonly target: string | NodeJS.WritableStream) {
    this.draft = typeof target === 'string' ? draftPathOf(target) : null;
    const out = this.draft === null ? target : createWriteStream(this.draft, { flags: 'wx', mode: 0o600 });
    this.finished = pipeline(this.pack, out as NodeJS.WritableStream);
    // Awaited in finish(); until then a full disk must not end the process.
    this.finished.catch(() => undefined);
  }

  /** Adds an entry of a known size; resolves when its bytes are written. */
  async add(name: string, size: number, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    try {
      await this.write(name, size, source);
    } catch (error) {
      // If writing the archive failed, report that error instead of its consequence here.
      if (this.pack.destroyed) await this.throwWriteError();
      throw error;
    }
  }

  private async write(name: string, size: number, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    const entry = this.pack.entry({ name, size, mode: 0o600 });
    const ended = once(entry, 'close');
    ended.catch(() => undefined);
    for await (const chunk of source) {
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), this.throwWriteError()]);
    }
    entry.end(undefined);
    await Promise.race([ended, this.throwWriteError()]);
  }

  addJson(name: string, value: unknown): Promise<void> {
    return this.addBytes(name, Buffer.from(JSON.stringify(value)));
  }

  addBytes(name: string, bytes: Buffer): Promise<void> {
    return this.add(name, bytes.length, [bytes]);
  }

  async finish(): Promise<void> {
    this.pack.finalize();
    await this.finished.catch(() => this.throwWriteError());
    if (this.draft !== null) await rename(this.draft, this.target as string);
  }

  async discard(): Promise<void> {
    this.pack.destroy();
    await this.finished.catch(() => undefined);
    if (this.draft !== null) await rm(this.draft, { force: true });
  }

  private async throwWriteError(): Promise<never> {
    const reason = await this.finished.then(() => null, reasonOf);
    throw new CommandError(`The archive couldn't be written completely${reason === null ? '.' : `: ${reason}`}`);
  }
}

/** Returns a user-friendly reason for a write error. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full.';
  if (code === 'EPIPE') return 'the program reading it has ended.';
  return message;
}

/** Returns the temporary name for this process, and deletes temporary files of processes that no longer run. */
function draftPathOf(file: string): string {
  const begins = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(begins)) continue;
    const found = /^(?:(\d+)\.)?part$/.exec(name.slice(begins.length));
    if (found && !isAlive(Number(found[1] ?? 0))) rmSync(join(dirname(file), name), { force: true });
  }
  return `${file}.${process.pid}.part`;
}

function isAlive(pid: number): boolean {
  if (pid === 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Yields the entries of an archive in order; each must be read completely before the next. */
export async function* readArchive(file: string): AsyncIterable<ArchiveEntry> {
  const extract = tar.extract();
  const reading = pipeline(createReadStream(file), extract as unknown as NodeJS.WritableStream);
  reading.catch((error: Error) => extract.destroy(error));
  for await (const entry of extract) yield { name: entry.header.name, bytes: entry as AsyncIterable<Buffer> };
  await reading;
}

/** Reads a small entry completely. */
export async function readEntryText({ bytes }: ArchiveEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
