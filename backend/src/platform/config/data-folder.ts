import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from '../errors/startup-error.js';

/**
 * Creates the data folder, readable only by the owner, when it is missing. Never creates its parent: if a disk is not
 * mounted, that would start a new, empty installation.
 * @param dataDir absolute path
 * @throws StartupError when the parent folder does not exist
 */
export function ensureDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return assertFolder(dataDir);
    if (code !== 'ENOENT') throw error;
    // In /proc and the like nothing can be created, although the parent exists.
    if (existsSync(dirname(dataDir)))
      throw Object.assign(new Error('The data folder could not be created.', { cause: error }), {
        code: 'EACCES',
        path: dataDir,
      });
    throw new StartupError(
      `The folder ${dirname(dataDir)}, which contains DATA_DIR, doesn't exist. Create it or mount its disk. It isn't created automatically.`,
      { cause: error },
    );
  }
}

function assertFolder(path: string): void {
  if (statSync(path).isDirectory()) return;
  throw Object.assign(new Error('The data folder is a file.'), { code: 'ENOTDIR', path });
}
