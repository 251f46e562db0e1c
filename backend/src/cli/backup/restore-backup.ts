import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { migrations } from '../../../migrations/list.js';
import type { AppConfig } from '../../platform/config/app-config.js';
import type { DatabaseConnection } from '../../platform/database/pool/database-connection.js';
import { toCurrentMigrations } from '../../platform/database/schema/baseline.js';
import { migrate } from '../../platform/database/schema/migrate.js';
import type { LocalStorage } from '../../platform/storage/local/local-storage.js';
import {
  archiveEntries,
  readArchive,
  readEntryText,
  type ArchiveEntry,
  type ArchiveSummary,
  type ArchiveManifest,
  type SchemaEntry,
} from './archive.js';
import { CommandError } from './run-command.js';
import { copyIn } from './postgres-copy.js';
import { RestoreTarget } from './restore-target.js';
import { disableConstraints, quoteIdentifier, findNonEmptyTable, type SchemaState } from './schema.js';
import { containsAllSecrets } from './secret-list.js';
import { withClient } from '../../platform/database/pool/with-client.js';
import { createLocalStorage } from './with-database.js';

const ROWS_ENTRY = /^database\/rows\/([a-z0-9_]+)\/\d+$/;
const OBJECT_ENTRY = /^objects\/(.+)$/;

/** Reads the first entry of an archive. @throws CommandError when it isn't a Zonary backup, or has another schema */
export async function readManifest(file: string): Promise<ArchiveManifest> {
  const first = await readFirstEntry(file);
  if (first === null) throw new CommandError(`${file} isn't a Zonary backup.`);
  const manifest = JSON.parse(first) as ArchiveManifest;
  const known = migrations.map(({ name }) => name);
  const applied = toCurrentMigrations(manifest.migrations) ?? [];
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (manifest.format !== 1 || unknown.length > 0) {
    throw new CommandError(
      `This backup was made by a newer version (it has ${unknown.at(-1)}). Restore it with that version.`,
    );
  }
  if (missing.length > 0) {
    throw new CommandError(
      `This backup was made by an older version (it lacks ${missing[0]}). Restore it with that version, then start this one, which migrates the schema.`,
    );
  }
  return manifest;
}

async function readFirstEntry(file: string): Promise<string | null> {
  try {
    for await (const entry of readArchive(file))
      return entry.name === archiveEntries.manifest ? await readEntryText(entry) : null;
  } catch (error) {
    throw new CommandError(`Couldn't read ${file} (${(error as Error).message}).`);
  }
  return null;
}

/**
 * Restores an archive into an empty installation, completely or not at all.
 * @throws CommandError when the target isn't empty, the archive has another schema, or it is incomplete
 */
export async function restoreBackup(
  config: AppConfig,
  connection: DatabaseConnection,
  file: string,
): Promise<ArchiveSummary> {
  const { includesObjects } = await readManifest(file);
  const storage = createLocalStorage(config);
  if (includesObjects && !storage) throw new CommandError('This backup contains files. Set STORAGE_URL to a folder.');
  // Checked before any change, because this must not migrate an existing installation of an older version.
  await withClient(connection, assertEmptyDatabase);
  await migrate(connection);
  return withClient(connection, async (client) => {
    const target = storage ? await RestoreTarget.claim(client, storage) : null;
    const restore = new Restore(config, client, storage);
    try {
      await client.query('begin');
      const closing = await restore.readFile(file);
      await target?.markOwned(client);
      await client.query('commit');
      await target?.clearRestoring();
      // Without statistics, the first queries would be planned as if the tables were empty.
      await client.query('analyze');
      return closing;
    } catch (error) {
      await client.query('rollback');
      await restore.removeObjects();
      throw error;
    }
  });
}

async function assertEmptyDatabase(client: pg.Client): Promise<void> {
  const table = await findNonEmptyTable(client);
  if (table)
    throw new CommandError(`The target is not empty: its table ${table} has rows. Restore to an empty target.`);
}

class Restore {
  private readonly rows: Record<string, number> = {};
  private readonly objects: string[] = [];
  private state: SchemaState | null = null;
  private closeForRows: () => Promise<void> = () => Promise.resolve();
  private closing: ArchiveSummary | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly client: pg.Client,
    private readonly storage: LocalStorage | null,
  ) {}

  async readFile(file: string): Promise<ArchiveSummary> {
    let secret: string | null = null;
    for await (const entry of readArchive(file)) {
      if (entry.name === archiveEntries.secret) secret = await readEntryText(entry);
      else await this.restoreEntry(entry);
    }
    const closing = this.assertComplete();
    await this.closeForRows();
    if (secret !== null) this.saveSecret(secret);
    return closing;
  }

  async removeObjects(): Promise<void> {
    for (const key of this.objects) await this.storage?.delete(key);
  }

  private async restoreEntry(entry: ArchiveEntry): Promise<void> {
    const key = OBJECT_ENTRY.exec(entry.name)?.[1];
    const table = ROWS_ENTRY.exec(entry.name)?.[1];
    if (key) return this.restoreObject(key, entry);
    if (table) return this.restoreRows(table, entry);
    const text = await readEntryText(entry);
    if (entry.name === archiveEntries.schema) {
      this.state = (JSON.parse(text) as SchemaEntry).state;
      this.closeForRows = await disableConstraints(this.client, this.state);
    }
    if (entry.name === archiveEntries.closing) this.closing = JSON.parse(text) as ArchiveSummary;
  }

  private async restoreObject(key: string, { bytes }: ArchiveEntry): Promise<void> {
    this.objects.push(key);
    await this.storage!.write(key, bytes);
  }

  private async restoreRows(name: string, { bytes }: ArchiveEntry): Promise<void> {
    const table = this.state?.tables.find((candidate) => candidate.name === name);
    if (!table) throw new CommandError('This backup is damaged: it has rows of an unlisted table.');
    const sql = `copy ${quoteIdentifier(name)} (${table.columns.map(quoteIdentifier).join(', ')}) from stdin`;
    this.rows[name] = (this.rows[name] ?? 0) + (await copyIn(this.client, sql, bytes));
  }

  private assertComplete(): ArchiveSummary {
    const { closing } = this;
    if (!closing) throw new CommandError('This backup is incomplete: its end is missing. Nothing was restored.');
    const wrong = Object.entries(closing.rows).find(([table, count]) => (this.rows[table] ?? 0) !== count);
    if (wrong || this.objects.length !== closing.objects) {
      throw new CommandError(`This backup is damaged (${wrong?.[0] ?? 'contents'} incomplete). Nothing was restored.`);
    }
    return closing;
  }

  private saveSecret(secret: string): void {
    if (process.env.APP_SECRET) {
      if (containsAllSecrets(process.env.APP_SECRET, secret)) return;
      process.stderr.write(
        "APP_SECRET differs from the backup's secret. Links in emails that were already sent won't work.\n",
      );
      return;
    }
    writeFileSync(join(this.config.dataDir, 'app-secret'), secret, { mode: 0o600 });
  }
}
