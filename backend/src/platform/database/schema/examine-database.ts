import pg from 'pg';
import { migrations } from '../../../../migrations/list.js';
import { productVersion } from '../../config/version.js';
import { StartRefusal } from '../../errors/start-refusal.js';
import type { DatabaseConnection } from '../pool/connection.js';

/** How long the database may take to let us in, and to answer, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Looks at the database before anything is done with it.
 * @param patience milliseconds
 * @param known names of the migrations that this version has
 * @returns those that the database has not, in their order
 * @throws StartRefusal when it does not exist (it is never made here: a name that was mistyped would become an empty
 * installation), says nothing, does not keep its texts in UTF-8, or has a schema that this version does not know; the
 * driver's error for all else
 */
export async function examineDatabase(
  connection: DatabaseConnection,
  patience = PATIENCE,
  known = migrations.map(({ name }) => name),
): Promise<string[]> {
  const limits = { connectionTimeoutMillis: patience, query_timeout: patience };
  const client = new pg.Client({ ...(connection as pg.ClientConfig), ...limits });
  // A connection that breaks off later must not end the process by itself.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await refuseOtherEncoding(client);
    return await lackingOf(client, known);
  } catch (error) {
    throw toSentence(error as pg.DatabaseError, connection, patience);
  } finally {
    // A server that says nothing does not say goodbye either.
    void client.end().catch(() => undefined);
  }
}

function toSentence(error: pg.DatabaseError, { database }: DatabaseConnection, patience: number): Error {
  if (error.code === '3D000') {
    return new StartRefusal(
      `The database "${database}" in DATABASE_URL does not exist on its server. Check the name. It isn't created automatically. To create an empty database, run createdb ${database}`,
    );
  }
  if (/timeout/i.test(error.message) && error.code === undefined) {
    return new StartRefusal(
      `The database server in DATABASE_URL accepts connections but hasn't answered for ${patience / 1000} seconds. Check that it's a working PostgreSQL server.`,
    );
  }
  return error;
}

/** In any other, letters are lost and `normalize`, by which texts are folded for the search, does not work. */
async function refuseOtherEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; database: string }>(
    `select current_setting('server_encoding') as encoding, current_database() as database`,
  );
  const { encoding, database } = rows[0]!;
  if (encoding === 'UTF8') return;
  throw new StartRefusal(
    `The database "${database}" in DATABASE_URL uses the encoding ${encoding} instead of UTF8. A database's encoding can't be changed. To create a suitable one, run createdb --encoding=UTF8 --template=template0 NAME`,
  );
}

async function lackingOf(client: pg.Client, known: readonly string[]): Promise<string[]> {
  if (!(await exists(client, 'mikro_orm_migrations'))) return [...known];
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations order by id');
  const made = rows.map(({ name }) => name);
  const newer = made.findLast((name) => !known.includes(name));
  if (newer !== undefined) throw new StartRefusal(refusalOf(newer, await versionOf(client)));
  return known.filter((name) => !made.includes(name));
}

function refusalOf(newer: string, version: string | null): string {
  const own = productVersion();
  const remedy =
    version === null || version === own
      ? // Between two releases both say the same: the number would send its reader back to this very program.
        `Start a version that has ${newer}`
      : `Start version ${version} or a later one`;
  return (
    `The database was brought up to date by a newer version of Zonary: it has ${newer}, which this version (${own}) does not know. ` +
    `${remedy}, or restore the backup made before the upgrade. Nothing was changed.`
  );
}

async function versionOf(client: pg.Client): Promise<string | null> {
  if (!(await exists(client, 'installation'))) return null;
  const { rows } = await client.query<{ version: string | null }>('select version from installation');
  return rows[0]?.version ?? null;
}

async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `public.${table}`,
  ]);
  return rows[0]!.there;
}
