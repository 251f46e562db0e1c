import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureDataFolder } from '../../config/data-folder.js';
import { StartupError } from '../../errors/startup-error.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

const SQLITE_BUSY = 5;
const RETRY_INTERVAL_MS = 50;

/**
 * Ensures that only one process uses a data folder.
 *
 * The lock is a kernel file lock: a byte range of `postgres.lock`, taken through SQLite because Node.js has no API for
 * file locks. The kernel releases it however the process ends, so it is never stale, and a reused process id can't be
 * mistaken for the holder. `zonary.pid` is only used for the error message.
 */
export class DataFolderLock {
  readonly #database: DatabaseSync;
  readonly #pidFile: string;

  private constructor(database: DatabaseSync, pidFile: string) {
    this.#database = database;
    this.#pidFile = pidFile;
  }

  /**
   * Acquires the lock. Creates the folder when it is missing, but not its parent.
   * @param dataDir absolute path of the data folder
   * @param waitMs how long to wait for another process that may be stopping, in milliseconds
   * @param onWait called once when there is something to wait for
   * @throws EmbeddedPostgresError DATA_FOLDER_IN_USE when another process holds the lock, DATA_FOLDER_UNREADABLE when
   *   this user can't write to the folder; StartupError when the parent folder does not exist
   */
  static async acquire(dataDir: string, waitMs: number, onWait: () => void): Promise<DataFolderLock> {
    const pidFile = join(dataDir, 'zonary.pid');
    const deadline = performance.now() + waitMs;
    for (let first = true; ; first = false) {
      const database = tryLock(dataDir, pidFile);
      if (database) return new DataFolderLock(database, pidFile);
      if (performance.now() >= deadline) throw folderInUseError(dataDir, pidFile);
      if (first) onWait();
      await pause(RETRY_INTERVAL_MS);
    }
  }

  release(): void {
    rmSync(this.#pidFile, { force: true });
    this.#database.close();
  }
}

function tryLock(dataDir: string, pidFile: string): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    ensureDataFolder(dataDir);
    // A static import would fail on an old Node.js before require-node.ts can report the problem.
    const sqlite = process.getBuiltinModule('node:sqlite');
    database = new sqlite.DatabaseSync(join(dataDir, 'postgres.lock'));
    database.exec('BEGIN EXCLUSIVE');
    writeFileSync(pidFile, `${process.pid}\n`);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof StartupError) throw error;
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return null;
    throw new EmbeddedPostgresError(
      'DATA_FOLDER_UNREADABLE',
      `The data folder ${dataDir} isn't writable for this user (${(error as Error).message}). ` +
        'Start Zonary as the user who owns it, or set DATA_DIR to another folder.',
    );
  }
}

function folderInUseError(dataDir: string, pidFile: string): EmbeddedPostgresError {
  const holder = readHolderPid(pidFile);
  return new EmbeddedPostgresError(
    'DATA_FOLDER_IN_USE',
    `Zonary is already running on the data folder ${dataDir}${holder ? ` (process ${holder})` : ''}. ` +
      'Stop it first, or set DATA_DIR and PORT to start another one.',
  );
}

function readHolderPid(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim();
  } catch {
    return '';
  }
}
