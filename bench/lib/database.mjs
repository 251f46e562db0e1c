import pg from 'pg';
import { root } from './product.mjs';

/** A pool on the database that a running product keeps in its data folder. */
export async function databaseOf(dataDir, max = 4) {
  const { findRunningServer } = await import(`${root}dist/backend/src/platform/database/embedded/running-server.js`);
  const connection = findRunningServer(dataDir);
  if (!connection) throw new Error(`No database runs on ${dataDir}.`);
  return new pg.Pool({ ...connection, max });
}
