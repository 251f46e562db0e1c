import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from '../errors/startup-error.js';

/**
 * Makes the data folder for us alone when it is missing, and none above it: below a disk that is not mounted a new
 * installation would begin.
 * @param dataDir absolute path
 * @throws StartupError when the folder above it is not there
 */
export function ensureDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return assertFolder(dataDir);
    if (code !== 'ENOENT') throw error;
    throw new StartupError(
      `The folder ${dirname(dataDir)}, in which DATA_DIR lies, is not there. Create it or mount its disk. It isn't created automatically.`,
      { cause: error },
    );
  }
}

function assertFolder(path: string): void {
  if (statSync(path).isDirectory()) return;
  throw Object.assign(new Error('The data folder is a file.'), { code: 'ENOTDIR', path });
}
