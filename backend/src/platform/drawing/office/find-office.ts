import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['soffice', 'libreoffice'];

/** The program that turns Office documents into PDF: the one that is set, else the first on the PATH; null without one. */
export function findOffice(given: string | null): string | null {
  if (given !== null) return isProgram(given) ? given : null;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
