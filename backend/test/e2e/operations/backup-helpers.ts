import { createHash } from 'node:crypto';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { archiveEntries, readArchive, readEntryText, ArchiveWriter } from '../../../src/cli/backup/archive.js';
import { readSchema, quoteIdentifier } from '../../../src/cli/backup/schema.js';
import type { DatabaseConnection } from '../../../src/platform/database/pool/database-connection.js';
import { minimalEnv } from '../../support/server-process.js';

const distDir = resolve(import.meta.dirname, '../../../../dist/backend/src');

/** Temporary folders that are removed at the end of the suite. */
export class TempFolders {
  private readonly paths: string[] = [];

  create(): string {
    const folder = mkdtempSync(join(tmpdir(), 'zonary-backup-'));
    this.paths.push(folder);
    return folder;
  }

  removeAll(): void {
    for (const folder of this.paths) rmSync(folder, { recursive: true, force: true });
  }
}

/** Hashes all rows of each table, independent of their physical order. */
export async function digestTables(connection: DatabaseConnection): Promise<Record<string, string>> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    const { tables, sequences } = await readSchema(client);
    const digests: Record<string, string> = { sequences: JSON.stringify(sequences) };
    for (const { name } of tables) {
      const sql = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from ${quoteIdentifier(name)} t`;
      digests[name] = (await client.query<{ digest: string }>(sql)).rows[0]!.digest;
    }
    return digests;
  } finally {
    await client.end();
  }
}

/** Returns the archive with some entries changed, or removed if null. */
export async function alterArchive(
  file: string,
  change: (name: string, text: string) => string | null,
): Promise<string> {
  const copy = `${file}.altered-${Math.random().toString(36).slice(2)}`;
  const writer = new ArchiveWriter(copy);
  for await (const entry of readArchive(file)) {
    const text = await readEntryText(entry);
    const changed = entry.name.startsWith('objects/') ? text : change(entry.name, text);
    if (changed !== null) await writer.addBytes(entry.name, Buffer.from(changed));
  }
  await writer.finish();
  return copy;
}

/** Keeps the first `fraction` of a file. */
export async function truncateFile(file: string, fraction: number): Promise<string> {
  const bytes = await readFile(file);
  await writeFile(`${file}.short`, bytes.subarray(0, Math.floor(bytes.length * fraction)));
  return `${file}.short`;
}

/**
 * Runs a built command.
 * @returns its output, also if it fails
 */
export async function runCommand(name: string, args: string[], env: Record<string, string>) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(distDir, `cli/${name}.js`), ...args], {
      env: { ...minimalEnv(), ...env },
    });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}

/** Starts the built product on a data folder and waits until it is ready. */
export async function startServer(dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [join(distDir, 'main.js')], {
    env: { ...minimalEnv(), DATA_DIR: dataDir, PORT: '0', ROLE: 'web', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  let output = '';
  const url = await new Promise<string>((ready, fail) => {
    const collectOutput = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /is ready: (\S+)/.exec(output)?.[1];
      if (found) ready(found);
    };
    child.stdout!.on('data', collectOutput);
    child.stderr!.on('data', collectOutput);
    child.once('exit', () => fail(new Error(output)));
  });
  return { url, stop };
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
export { archiveEntries };
