import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Required by MikroORM 7 and `node:sqlite`. scripts/lib/find-node.mjs checks the same. */
const MIN_MAJOR = 22;
const MIN_MINOR = 17;

/**
 * Returns what to do when Node.js is too old for the server.
 * @param version as in `process.versions.node`
 * @param project the folder of package.json, whose packages may include a newer Node.js
 * @returns the message; null when it is new enough
 */
export function unsupportedNodeMessage(version: string, project: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_MAJOR || (major === MIN_MAJOR && minor >= MIN_MINOR)) return null;
  const needs = `Zonary needs Node ${MIN_MAJOR}.${MIN_MINOR} or newer, and this is Node ${version}.`;
  const system = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
  const packaged = join(project, `node_modules/node-${system[0]}-${process.arch}/bin`, system[1]!);
  return existsSync(packaged)
    ? `${needs} Use the one in its packages: "${packaged}"`
    : `${needs} Install Node 24 from nodejs.org, or start it with npm start.`;
}
