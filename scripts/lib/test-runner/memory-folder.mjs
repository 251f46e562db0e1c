import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

/** A file system in memory, on Linux. */
const FOLDER = '/dev/shm';
/** In bytes. A run uses less than 4 GB of files at a time; suites and browsers need as much memory again. */
const MIN_FREE_SPACE = 8e9;
const MIN_FREE_MEMORY = 12e9;

/**
 * Returns an in-memory folder with enough space that allows executables, or null. Each suite copies a database of 860
 * files, which takes 20 ms there and up to 600 ms on a shared disk.
 * @param readStats returns the machine's figures; replaced in tests
 */
export function findMemoryFolder(readStats = readMemoryStats) {
  const stats = readStats();
  if (stats === null || stats.noexec) return null;
  return stats.freeSpace >= MIN_FREE_SPACE && stats.freeMemory >= MIN_FREE_MEMORY ? FOLDER : null;
}

/** The machine's figures in bytes; null without such a folder. */
function readMemoryStats() {
  try {
    accessSync(FOLDER, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).findLast(([, path]) => path === FOLDER)?.[3] ?? '';
    const [, kilobytes] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [0, 0];
    const noexec = options.split(',').includes('noexec');
    return { freeSpace: bavail * bsize, freeMemory: Number(kilobytes) * 1024, noexec };
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EROFS', 'EPERM'].includes(error.code)) return null;
    throw error;
  }
}
