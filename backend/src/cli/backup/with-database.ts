import type { AppConfig } from '../../platform/config/app-config.js';
import { connectionFromUrl, type DatabaseConnection } from '../../platform/database/pool/database-connection.js';
import { EmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.js';
import { findRunningServer } from '../../platform/database/embedded/running-server.js';
import type { LocalStorage } from '../../platform/storage/local/local-storage.js';
import { createLocalDriver } from '../../platform/storage/storage-drivers.js';

/** Returns the storage if it is a local folder; null when it is a bucket. */
export function createLocalStorage(config: AppConfig): LocalStorage | null {
  return config.storageUrl.startsWith('file:') ? createLocalDriver(config) : null;
}

/**
 * Runs `work` with the configured database: the external one, that of the running app (if `useRunningServer`), or the
 * embedded one, which is started for it and stopped afterwards.
 */
export async function withDatabase<T>(
  config: AppConfig,
  useRunningServer: boolean,
  work: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== null) return work(connectionFromUrl(config.databaseUrl));
  const running = useRunningServer ? findRunningServer(config.dataDir) : null;
  if (running) return work(running);
  const postgres = new EmbeddedPostgres({ dataDir: config.dataDir });
  try {
    return await work(await postgres.start());
  } finally {
    await postgres.stop();
  }
}
