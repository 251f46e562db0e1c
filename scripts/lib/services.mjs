import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onWindows } from './project.mjs';

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium for the browser suite (CHROMIUM_PATH, else the first on the PATH), or null. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return isProgram(given) ? given : null;
  return CHROMIUMS.map(onPath).find(Boolean) ?? null;
}

/** The same engine without windows, in which journeys take a fifth less time, or null. */
export function findHeadlessShell() {
  return process.env.CHROMIUM_PATH ? null : onPath('chromium-headless-shell');
}

/** The server for the tests of queues, or null. */
export function findRedis() {
  return onPath('redis-server');
}

/** What turns Office documents into PDF (SOFFICE_PATH, else the first on the PATH), or null. */
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
