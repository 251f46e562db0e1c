import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { migrations } from '../../../migrations/list.js';
import type { AppConfig } from '../../platform/config/app-config.js';
import type { DatabaseConnection } from '../../platform/database/pool/connection.js';
import { migrate } from '../../platform/database/schema/migrate.js';
import type { LocalStorage } from '../../platform/storage/local-storage.js';
import {
  entries,
  readArchive,
  textOf,
  type ArchiveEntry,
  type Closing,
  type Manifest,
  type SchemaEntry,
} from './archive.js';
import { BackupError } from './run-command.js';
import { copyIn } from './copy.js';
import { RestoreTarget } from './restore-target.js';
import { openForRows, quoted, tableWithRows, type SchemaState } from './schema.js';
import { hasAll } from './lists-of-secrets.js';
import { withClient } from '../../platform/database/pool/with-client.js';
import { localStorageOf } from './source.js';

const rowsEntry = /^database\/rows\/([a-z0-9_]+)\/\d+$/;
const objectEntry = /^objects\/(.+)$/;

/** Reads the first entry of an archive. @throws BackupError when it is none of ours, or of another schema */
export async function readManifest(file: string): Promise<Manifest> {
  const first = await firstEntry(file);
  if (first === null) throw new BackupError(`${file} isn't a Zonary backup.`);
  const manifest = JSON.parse(first) as Manifest;
  const known = migrations.map(({ name }) => name);
  const missing = known.filter((name) => !manifest.migrations.includes(name));
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (manifest.format !== 1 || unknown.length > 0) {
    throw new BackupError(
      `This backup was made by a newer version (it has ${unknown.at(-1)}). Restore it with that version.`,
    );
  }
  if (missing.length > 0) {
    throw new BackupError(
      `This backup was made by an older version (it lacks ${missing[0]}). Restore it with that version, then start this one, which migrates the schema.`,
    );
  }
  return manifest;
}

async function firstEntry(file: string): Promise<string | null> {
  try {
    for await (const entry of readArchive(file)) return entry.name === entries.manifest ? await textOf(entry) : null;
  } catch (error) {
    throw new BackupError(`Couldn't read ${file} (${(error as Error).message}).`);
  }
  return null;
}

/**
 * Fills an empty installation from an archive, all or nothing.
 * @throws BackupError when the target holds anything, when the archive is of another schema, or when it is not whole
 */
export async function restoreBackup(config: AppConfig, connection: DatabaseConnection, file: string): Promise<Closing> {
  const { holdsObjects } = await readManifest(file);
  const storage = localStorageOf(config);
  if (holdsObjects && !storage) throw new BackupError('This backup contains files. Set STORAGE_URL to a folder.');
  // Before anything is changed: an installation of an older version must not be brought up to date by this.
  await withClient(connection, refuseFilled);
  await migrate(connection);
  return withClient(connection, async (client) => {
    const target = storage ? await RestoreTarget.claim(client, storage) : null;
    const restore = new Restore(config, client, storage);
    try {
      await client.query('begin');
      const closing = await restore.read(file);
      await target?.keep(client);
      await client.query('commit');
      await target?.finish();
      // Without figures about the tables the first queries would be planned as for empty ones.
      await client.query('analyze');
      return closing;
    } catch (error) {
      await client.query('rollback');
      await restore.removeObjects();
      throw error;
    }
  });
}

async function refuseFilled(client: pg.Client): Promise<void> {
  const table = await tableWithRows(client);
  if (table) throw new BackupError(`The target is not empty: its table ${table} has rows. Restore to an empty target.`);
}

class Restore {
  private readonly rows: Record<string, number> = {};
  private readonly objects: string[] = [];
  private state: SchemaState | null = null;
  private shut: () => Promise<void> = () => Promise.resolve();
  private closing: Closing | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly client: pg.Client,
    private readonly storage: LocalStorage | null,
  ) {}

  async read(file: string): Promise<Closing> {
    let secret: string | null = null;
    for await (const entry of readArchive(file)) {
      if (entry.name === entries.secret) secret = await textOf(entry);
      else await this.restoreEntry(entry);
    }
    const closing = this.confirmWhole();
    await this.shut();
    if (secret !== null) this.keepSecret(secret);
    return closing;
  }

  async removeObjects(): Promise<void> {
    for (const key of this.objects) await this.storage?.delete(key);
  }

  private async restoreEntry(entry: ArchiveEntry): Promise<void> {
    const key = objectEntry.exec(entry.name)?.[1];
    const table = rowsEntry.exec(entry.name)?.[1];
    if (key) return this.takeObject(key, entry);
    if (table) return this.takeRows(table, entry);
    const text = await textOf(entry);
    if (entry.name === entries.schema) {
      this.state = (JSON.parse(text) as SchemaEntry).state;
      this.shut = await openForRows(this.client, this.state);
    }
    if (entry.name === entries.closing) this.closing = JSON.parse(text) as Closing;
  }

  private async takeObject(key: string, { bytes }: ArchiveEntry): Promise<void> {
    this.objects.push(key);
    await this.storage!.write(key, bytes);
  }

  private async takeRows(name: string, { bytes }: ArchiveEntry): Promise<void> {
    const table = this.state?.tables.find((one) => one.name === name);
    if (!table) throw new BackupError('This backup is damaged: it has rows of an unlisted table.');
    const sql = `copy ${quoted(name)} (${table.columns.map(quoted).join(', ')}) from stdin`;
    this.rows[name] = (this.rows[name] ?? 0) + (await copyIn(this.client, sql, bytes));
  }

  private confirmWhole(): Closing {
    const { closing } = this;
    if (!closing) throw new BackupError('This backup is incomplete: its end is missing. Nothing was restored.');
    const wrong = Object.entries(closing.rows).find(([table, count]) => (this.rows[table] ?? 0) !== count);
    if (wrong || this.objects.length !== closing.objects) {
      throw new BackupError(`This backup is damaged (${wrong?.[0] ?? 'contents'} incomplete). Nothing was restored.`);
    }
    return closing;
  }

  private keepSecret(secret: string): void {
    if (process.env.APP_SECRET) {
      if (hasAll(process.env.APP_SECRET, secret)) return;
      process.stderr.write(
        "APP_SECRET differs from the backup's secret. Links in emails that were already sent won't work.\n",
      );
      return;
    }
    writeFileSync(join(this.config.dataDir, 'app-secret'), secret, { mode: 0o600 });
  }
}
