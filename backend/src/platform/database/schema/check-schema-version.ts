import pg from 'pg';
import { migrations } from '../../../../migrations/list.js';
import { productVersion } from '../../config/version.js';
import { StartupError } from '../../errors/startup-error.js';
import type { DatabaseConnection } from '../pool/database-connection.js';
import { toCurrentMigrations } from './baseline.js';

/** Limit for connecting and for each query, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Checks that the database can be used by this version.
 * @param timeout milliseconds
 * @param known names of all migrations of this version
 * @returns the missing migrations, in order
 * @throws StartupError when the database doesn't exist (it is never created here, because a mistyped name would start
 *   an empty installation), doesn't respond, isn't encoded in UTF-8, has migrations that this version doesn't know, or lacks
 *   some of version 0.2.0;
 *   the driver's error in all other cases
 */
export async function checkSchemaVersion(
  connection: DatabaseConnection,
  timeout = CONNECT_TIMEOUT,
  known = migrations.map(({ name }) => name),
): Promise<string[]> {
  const limits = { connectionTimeoutMillis: timeout, query_timeout: timeout };
  const client = new pg.Client({ ...(connection as pg.ClientConfig), ...limits });
  // Without a listener, a connection that is lost later would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await assertUtf8Encoding(client);
    return await findMissingMigrations(client, known);
  } catch (error) {
    throw toStartupError(error as pg.DatabaseError, connection, timeout);
  } finally {
    // Not awaited: an unresponsive server would not answer this either.
    void client.end().catch(() => undefined);
  }
}

function toStartupError(error: pg.DatabaseError, { database }: DatabaseConnection, timeout: number): Error {
  if (error.code === '3D000') {
    return new StartupError(
      `The database "${database}" in DATABASE_URL does not exist on its server. Check the name. It isn't created automatically. To create an empty database, run createdb ${database}`,
    );
  }
  if (/timeout/i.test(error.message) && error.code === undefined) {
    return new StartupError(
      `The database server in DATABASE_URL accepts connections but hasn't answered for ${timeout / 1000} seconds. Check that it's a working PostgreSQL server.`,
    );
  }
  return error;
}

/** Other encodings lose characters, and `normalize`, which the search depends on, doesn't work with them. */
async function assertUtf8Encoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; database: string }>(
    `select current_setting('server_encoding') as encoding, current_database() as database`,
  );
  const { encoding, database } = rows[0]!;
  if (encoding === 'UTF8') return;
  throw new StartupError(
    `The database "${database}" in DATABASE_URL uses the encoding ${encoding} instead of UTF8. A database's encoding can't be changed. To create a suitable one, run createdb --encoding=UTF8 --template=template0 NAME`,
  );
}

async function findMissingMigrations(client: pg.Client, known: readonly string[]): Promise<string[]> {
  if (!(await tableExists(client, 'mikro_orm_migrations'))) return [...known];
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations order by id');
  const applied = toCurrentMigrations(rows.map(({ name }) => name));
  if (applied === null) throw new StartupError(olderVersionMessage());
  const newer = applied.findLast((name) => !known.includes(name));
  if (newer !== undefined) throw new StartupError(newerVersionMessage(newer, await readInstalledVersion(client)));
  return known.filter((name) => !applied.includes(name));
}

function olderVersionMessage(): string {
  return (
    "The database was last used by a version of Zonary before 0.2.0, from which this version can't upgrade. " +
    'Start version 0.2.0 once, which migrates it, then start this version. Nothing was changed.'
  );
}

function newerVersionMessage(newer: string, version: string | null): string {
  const own = productVersion();
  const remedy =
    version === null || version === own
      ? // Unreleased versions share a version number, so naming it would direct operators back to this one.
        `Start a version that has ${newer}`
      : `Start version ${version} or a later one`;
  return (
    `The database was brought up to date by a newer version of Zonary: it has ${newer}, which this version (${own}) does not know. ` +
    `${remedy}, or restore the backup made before the upgrade. Nothing was changed.`
  );
}

async function readInstalledVersion(client: pg.Client): Promise<string | null> {
  if (!(await tableExists(client, 'installation'))) return null;
  const { rows } = await client.query<{ version: string | null }>('select version from installation');
  return rows[0]?.version ?? null;
}

async function tableExists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `public.${table}`,
  ]);
  return rows[0]!.there;
}
