import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';

const runningServerModule = join(
  import.meta.dirname,
  '../../../dist/compiled/src/platform/database/embedded/running-server.js',
);

/**
 * Inserts `count` files named "File 00001.txt" and so on at the root of a zone, as rows only: they can be listed but
 * not opened. Uploading them would take minutes. Needs the product's data folder in `E2E_DATA_DIR`.
 */
export function insertFiles(zoneId: number, count: number): Promise<void> {
  return withDatabase(async (db) => {
    await db.query(
      `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id,
         allow_download, created_at, updated_at)
       select 'File ' || lpad(n::text, 5, '0') || '.txt', 'file ' || lpad(n::text, 5, '0') || '.txt', 'text/plain',
         1024 + n, repeat('0', 64), 'e2e/' || $1::bigint || '/' || n, 'local', $1, true, now(), now()
       from generate_series(1, $2::int) n`,
      [zoneId, count],
    );
    await db.query('analyze files');
  });
}

/** Inserts a failed job that has used up its retries and succeeds at once when retried. */
export function insertDeadJob(lastError: string): Promise<void> {
  return withDatabase(async (db) => {
    await db.query(
      `insert into jobs (queue, name, payload, state, run_at, attempts, max_attempts, last_error, created_at)
       values ('mail', 'zones.notify-join-request-approved', '{"zoneId": 0, "userId": 0}', 'dead', now(), 10, 10, $1, now())`,
      [lastError],
    );
  });
}

/** Expires a user's reauthentication, so that sensitive actions ask again. */
export function expireReauthentication(email: string): Promise<void> {
  return withDatabase(async (db) => {
    await db.query('update sessions set confirmed_at = null where user_id = (select id from users where email = $1)', [
      email,
    ]);
  });
}

async function withDatabase(callback: (db: pg.Client) => Promise<void>): Promise<void> {
  const dataDir = process.env.E2E_DATA_DIR;
  if (!dataDir) throw new Error('E2E_DATA_DIR must name the data folder of the product at E2E_BASE_URL.');
  const { findRunningServer } = (await import(pathToFileURL(runningServerModule).href)) as {
    findRunningServer: FindRunningServer;
  };
  const connection = findRunningServer(dataDir);
  if (!connection) throw new Error(`No database runs in ${dataDir}.`);
  const db = new pg.Client(connection);
  await db.connect();
  try {
    await callback(db);
  } finally {
    await db.end();
  }
}

/** Returns the connection of the database that runs in a data folder. */
type FindRunningServer = (dataDir: string) => pg.ClientConfig | null;
