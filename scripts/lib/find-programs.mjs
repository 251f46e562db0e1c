import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isWindows } from './project.mjs';

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium for the end-to-end tests (`CHROMIUM_PATH`, else the first on the PATH), or null. */
export function findChromium() {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath) return isExecutable(configuredPath) ? configuredPath : null;
  return CHROMIUM_NAMES.map(findOnPath).find(Boolean) ?? null;
}

/** The headless shell of the same engine, in which end-to-end tests take a fifth less time, or null. */
export function findHeadlessShell() {
  return process.env.CHROMIUM_PATH ? null : findOnPath('chromium-headless-shell');
}

/** The Redis server for the queue tests, or null. */
export function findRedis() {
  return findOnPath('redis-server');
}

/** LibreOffice for converting Office documents to PDF (`SOFFICE_PATH`, else the first on the PATH), or null. */
export function findOffice() {
  const configuredPath = process.env.SOFFICE_PATH;
  if (configuredPath) return isExecutable(configuredPath) ? configuredPath : null;
  return ['soffice', 'libreoffice'].map(findOnPath).find(Boolean) ?? null;
}

function findOnPath(name) {
  const file = isWindows ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, file)).find(isExecutable) ?? null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
