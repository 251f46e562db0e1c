import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onWindows } from './project.mjs';

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium for the browser tests (`CHROMIUM_PATH`, else the first on the PATH), or null. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return isProgram(given) ? given : null;
  return CHROMIUMS.map(onPath).find(Boolean) ?? null;
}

/** The headless shell of the same engine, in which end-to-end tests take a fifth less time, or null. */
export function findHeadlessShell() {
  return process.env.CHROMIUM_PATH ? null : onPath('chromium-headless-shell');
}

/** The Redis server for the queue tests, or null. */
export function findRedis() {
  return onPath('redis-server');
}

/** LibreOffice for converting Office documents to PDF (`SOFFICE_PATH`, else the first on the PATH), or null. */
export function findOffice() {
  const given = process.env.SOFFICE_PATH;
  if (given) return isProgram(given) ? given : null;
  return ['soffice', 'libreoffice'].map(onPath).find(Boolean) ?? null;
}

function onPath(name) {
  const file = onWindows ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, file)).find(isProgram) ?? null;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
