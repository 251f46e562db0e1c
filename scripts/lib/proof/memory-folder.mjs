import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

/** Files kept in memory, on Linux. */
const FOLDER = '/dev/shm';
/** A run keeps less than 4 GB of files at a time; what suites and browsers need beside them is as much again. */
const FREE_THERE = 8e9;
const FREE_MEMORY = 12e9;

/**
 * The folder whose files are kept in memory, where there is one with room, in which programs may be run; or null. Each suite
 * copies a database of 860 files: 20 ms there and up to 600 ms on a disk that others use too.
 * @param read tells of the machine; another one in tests
 */
export function memoryFolder(read = told) {
  const found = read();
  if (found === null || found.noexec) return null;
  return found.freeThere >= FREE_THERE && found.freeMemory >= FREE_MEMORY ? FOLDER : null;
}

/** What this machine says of it, in bytes; null where there is no such folder. */
function told() {
  try {
    accessSync(FOLDER, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).findLast(([, where]) => where === FOLDER)?.[3] ?? '';
    const [, kilobytes] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [0, 0];
    const noexec = options.split(',').includes('noexec');
    return { freeThere: bavail * bsize, freeMemory: Number(kilobytes) * 1024, noexec };
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EROFS', 'EPERM'].includes(error.code)) return null;
    throw error;
  }
}
