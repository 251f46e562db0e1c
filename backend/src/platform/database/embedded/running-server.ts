import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseConnection } from '../pool/database-connection.js';
import { currentClusterDir } from './cluster-location.js';
import { SUPERUSER } from './cluster.js';
import { readPostmasterPidFile, isPostgresOfCluster } from './postmaster-pid-file.js';

/**
 * Returns a connection to the embedded server that another process runs on this data folder. This lets commands work
 * while the application is running.
 * @returns null when no server runs there, or this user has no access to it
 */
export function findRunningServer(dataDir: string, database = 'zonary'): DatabaseConnection | null {
  const clusterDir = currentClusterDir(resolve(dataDir));
  const file = readPostmasterPidFile(clusterDir);
  if (!file?.ready || !isPostgresOfCluster(file.pid, clusterDir)) return null;
  const { port, socketDir } = file;
  if (socketDir) return { host: socketDir, port, user: SUPERUSER, database };
  const secret = join(resolve(dataDir), 'postgres.password');
  if (!existsSync(secret)) return null;
  return { host: '127.0.0.1', port, user: SUPERUSER, password: readFileSync(secret, 'utf8').trim(), database };
}
