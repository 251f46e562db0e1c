import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { AppConfig } from '../../platform/config/app-config.js';
import type { DatabaseConnection } from '../../platform/database/pool/database-connection.js';
import { ArchiveWriter, archiveEntries, type ArchiveSummary, type ArchiveManifest } from './archive.js';
import { CommandError } from './run-command.js';
import { copyOut } from './postgres-copy.js';
import { listAppliedMigrations, quoteIdentifier, readSchema, type SchemaState } from './schema.js';
import type { Storage } from '../../platform/storage/storage.js';
import { createStorageDriver } from '../../platform/storage/storage-drivers.js';
import { withClient } from '../../platform/database/pool/with-client.js';

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
      const storages = await openStorages(config, client);
      const closing = await new Backup(config, client, archive, connection, storages).write();
      await archive.finish();
      return closing;
    } catch (error) {
      await archive.discard();
      throw error;
    }
  });
}

/**
 * Returns the storages whose objects are included: a folder, and while the files are moved also the other storage, which
 * may have the newest objects. None if new files are stored in a bucket.
 */
async function openStorages(config: AppConfig, client: pg.Client): Promise<Storage[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('public.storage_moves') is not null as there`,
  );
  const { rows: moves } = tables[0]!.there
    ? await client.query<{ urls: string[] }>(
        `select case state when 'switched' then array[target_url, source_url] else array[source_url, target_url] end as urls
        from storage_moves where state in ('preparing', 'switched')`,
      )
    : { rows: [] };
  const urls = moves[0]?.urls ?? [config.storageUrl];
  if (!urls[0]!.startsWith('file:')) return [];
  return Promise.all(urls.map((url) => createStorageDriver(config, url)));
}

class Backup {
  private readonly copied = new Set<string>();

  constructor(
    private readonly config: AppConfig,
    private readonly client: pg.Client,
    private readonly archive: ArchiveWriter,
    private readonly connection: DatabaseConnection,
    private readonly storages: readonly Storage[],
  ) {}

  async write(): Promise<ArchiveSummary> {
    const migrations = await listAppliedMigrations(this.client);
    if (migrations.length === 0)
      throw new CommandError("This database contains no Zonary data. There's nothing to back up.");
    const madeAt = new Date().toISOString();
    const manifest: ArchiveManifest = { format: 1, madeAt, migrations, includesObjects: this.storages.length > 0 };
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
    for (const storage of this.storages) {
      for await (const { key, size } of storage.list('')) {
        if (!this.copied.has(key) && !key.startsWith(RENDERED_PAGES)) await this.addObject(storage, key, size);
      }
    }
  }

  /** Files deleted between listing and opening are skipped; checkObjects detects whether they were needed. */
  private async addObject(storage: Storage, key: string, size: number): Promise<void> {
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
    if (this.storages.length === 0) return;
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
