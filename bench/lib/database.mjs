import pg from 'pg';
import { root } from './product.mjs';

/** A pool for the embedded database of a running product. */
export async function databaseOf(dataDir, max = 4) {
  const { findRunningServer } = await import(`${root}dist/backend/src/platform/database/embedded/running-server.js`);
  const connection = findRunningServer(dataDir);
  if (!connection) throw new Error(`No database runs on ${dataDir}.`);
  return new pg.Pool({ ...connection, max });
}
