import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { restoreCluster, saveCluster } from './cluster-cache.mjs';

const dist = resolve(import.meta.dirname, '../../../../dist');
const TEMPLATE = 'zonary_template';

/**
 * Starts one PostgreSQL server for all suites, with the migrated template database that each suite copies. Reuses the
 * migrated cluster of an earlier run if there is one. Suites find the server in `TEST_POSTGRES`: JSON `{host, port,
 * user, database}`. `database` is the template, to which nobody may connect while it is copied.
 */
export default async function globalSetup() {
  const { EmbeddedPostgres } = await importCompiled('platform/database/embedded/embedded-postgres.js');
  const { connectionToUrl } = await importCompiled('platform/database/pool/database-connection.js');
  const folder = mkdtempSync(join(tmpdir(), 'zonary-test-'));
  // As root, PostgreSQL runs under another account, which needs to traverse the folder.
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const isMigrated = restoreCluster(dataDir);
  const postgres = new EmbeddedPostgres({ dataDir, database: TEMPLATE, fsync: false });
  const cleanUp = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  globalThis.stopTestPostgres = cleanUp;
  // A terminal's Ctrl-C arrives more than once; the second signal must not interrupt the cleanup.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void cleanUp().then(() => process.exit(1)));
  try {
    let connection = await postgres.start();
    if (!isMigrated) {
      await migrate(connectionToUrl(connection), dataDir);
      // Only after a clean shutdown are the files complete.
      await postgres.stop();
      saveCluster(dataDir);
      connection = await postgres.start();
    }
    process.env.TEST_POSTGRES = JSON.stringify(connection);
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

async function importCompiled(file) {
  const path = join(dist, 'compiled/src', file);
  if (!existsSync(path))
    throw new Error(`${path} is missing. Run the tests with "npm test", which builds the backend first.`);
  return import(path);
}

async function migrate(url, dataDir) {
  const program = join(dist, 'backend/src/cli/migrate.js');
  if (!existsSync(program)) throw new Error(`${program} is missing, so the test database cannot be migrated.`);
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir };
  try {
    await promisify(execFile)(process.execPath, [program], { env });
  } catch (error) {
    throw new Error(`The test database could not be migrated.\n${error.stdout ?? ''}${error.stderr ?? error.message}`);
  }
}
