import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAM_NAMES = ['soffice', 'libreoffice'];

/** Returns the path of LibreOffice: the configured one, else the first on the PATH; null if there is none. */
export function findOffice(configuredPath: string | null): string | null {
  if (configuredPath !== null) return isExecutable(configuredPath) ? configuredPath : null;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => PROGRAM_NAMES.map((name) => join(folder, name))).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
