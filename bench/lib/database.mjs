import pg from 'pg';
import { root } from './product.mjs';

/** Opens a connection pool to the embedded database of a running product. */
export async function openDatabase(dataDir, max = 4) {
  const { findRunningServer } = await import(`${root}dist/compiled/src/platform/database/embedded/running-server.js`);
  const connection = findRunningServer(dataDir);
  if (!connection) throw new Error(`No database is running in ${dataDir}.`);
  return new pg.Pool({ ...connection, max });
}
