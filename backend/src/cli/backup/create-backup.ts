import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { AppConfig } from '../../platform/config/app-config.js';
import type { DatabaseConnection } from '../../platform/database/pool/database-connection.js';
import type { LocalStorage } from '../../platform/storage/local/local-storage.js';
import { ArchiveWriter, archiveEntries, type ArchiveSummary, type ArchiveManifest } from './archive.js';
import { CommandError } from './run-command.js';
import { copyOut } from './postgres-copy.js';
import { listAppliedMigrations, quoteIdentifier, readSchema, type SchemaState } from './schema.js';
import { withClient } from '../../platform/database/pool/with-client.js';
import { createLocalStorage } from './with-database.js';

/** Rendered pages are excluded: they can be recreated from the documents and may be larger than these. */
const RENDERED_PAGES = 'pages/';
/** Bytes of rows per entry, held in memory while it is written. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Writes an entire installation into one tar file: a consistent snapshot of all rows, files, and the secret in the data
 * folder. The app may be running.
 *
 * Files are copied first, then rows, then files added in the meantime. So the file of each row is included: if a row
 * exists in the snapshot, its file was stored before, and is found in the first or the second pass.
 * @param to a file that must not exist, or a stream
 * @throws CommandError when files were permanently deleted while the backup was made
 */
export async function createBackup(
  config: AppConfig,
  connection: DatabaseConnection,
  to: string | NodeJS.WritableStream,
): Promise<ArchiveSummary> {
  if (typeof to === 'string' && existsSync(to)) throw new CommandError(`${to} already exists.`);
  return withClient(connection, async (client) => {
    const archive = new ArchiveWriter(to);
    try {
      const closing = await new Backup(config, client, archive, connection).write();
      await archive.finish();
      return closing;
    } catch (error) {
      await archive.discard();
      throw error;
    }
  });
}

class Backup {
  private readonly storage: LocalStorage | null;
  private readonly copied = new Set<string>();

  constructor(
    private readonly config: AppConfig,
    private readonly client: pg.Client,
    private readonly archive: ArchiveWriter,
    private readonly connection: DatabaseConnection,
  ) {
    this.storage = createLocalStorage(config);
  }

  async write(): Promise<ArchiveSummary> {
    const migrations = await listAppliedMigrations(this.client);
    if (migrations.length === 0)
      throw new CommandError("This database contains no Zonary data. There's nothing to back up.");
    const madeAt = new Date().toISOString();
    const manifest: ArchiveManifest = { format: 1, madeAt, migrations, includesObjects: this.storage !== null };
    await this.archive.addJson(archiveEntries.manifest, manifest);
    await this.addSecret();
    await this.addObjects();
    await this.client.query('begin isolation level repeatable read read only');
    if (String(await listAppliedMigrations(this.client)) !== String(migrations)) {
      throw new CommandError('The schema was migrated during the backup. Run the backup again.');
    }
    const state = await readSchema(this.client);
    await this.archive.addJson(archiveEntries.schema, { state });
    const rows = await this.addRows(state);
    await this.addObjects();
    await this.checkObjects();
    await this.client.query('commit');
    const closing: ArchiveSummary = { rows, objects: this.copied.size };
    await this.archive.addJson(archiveEntries.closing, closing);
    return closing;
  }

  /** If the secret is set with APP_SECRET, the operator keeps it. */
  private async addSecret(): Promise<void> {
    const path = join(this.config.dataDir, 'app-secret');
    if (process.env.APP_SECRET || !existsSync(path)) return;
    await this.archive.addBytes(archiveEntries.secret, readFileSync(path));
  }

  private async addRows(state: SchemaState): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name, columns } of state.tables) {
      let part = 0;
      const sql = `copy (select ${columns.map(quoteIdentifier).join(', ')} from ${quoteIdentifier(name)}) to stdout`;
      const take = (chunk: Buffer) => this.archive.addBytes(archiveEntries.rows(name, part++), chunk);
      counts[name] = await copyOut(this.client, sql, PART_BYTES, take);
    }
    return counts;
  }

  private async addObjects(): Promise<void> {
    if (!this.storage) return;
    for await (const { key, size } of this.storage.list('')) {
      if (!this.copied.has(key) && !key.startsWith(RENDERED_PAGES)) await this.addObject(this.storage, key, size);
    }
  }

  /** Files deleted between listing and opening are skipped; checkObjects detects whether they were needed. */
  private async addObject(storage: LocalStorage, key: string, size: number): Promise<void> {
    const stream = await storage.read(key).catch(() => null);
    if (!stream) return;
    try {
      await this.archive.add(archiveEntries.object(key), size, stream);
    } finally {
      stream.destroy();
    }
    this.copied.add(key);
  }

  private async checkObjects(): Promise<void> {
    if (!this.storage) return;
    const sql = `select object_key from files where storage_type = 'local'
      union all select object_key from file_versions where storage_type = 'local'`;
    const { rows } = await this.client.query<{ object_key: string }>(sql);
    const missing = rows.map(({ object_key: key }) => key).filter((key) => !this.copied.has(key));
    if (missing.length === 0) return;
    const lost = await withClient(this.connection, (now) =>
      now.query<{ count: number }>(
        `select count(*)::int as count from (select object_key from files union all select object_key from file_versions) o
          where object_key = any($1)`,
        [missing],
      ),
    );
    if (lost.rows[0]!.count < missing.length) {
      throw new CommandError('Files were permanently deleted during the backup. Run the backup again.');
    }
    process.stderr.write(`${missing.length} files had already lost their contents. The backup doesn't contain them.\n`);
  }
}
