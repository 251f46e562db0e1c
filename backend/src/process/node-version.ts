import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What the server needs: MikroORM 7 and `node:sqlite`. scripts/lib/node.mjs looks for the same. */
const MAJOR = 22;
const MINOR = 17;

/**
 * Says what to do where a Node.js is too old for the server.
 * @param version as `process.versions.node`
 * @param project the folder of package.json, whose packages may bring a newer Node.js
 * @returns the sentence; null when it is new enough
 */
export function nodeFault(version: string, project: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return null;
  const needs = `Zonary needs Node ${MAJOR}.${MINOR} or newer, and this is Node ${version}.`;
  const system = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
  const packaged = join(project, `node_modules/node-${system[0]}-${process.arch}/bin`, system[1]!);
  return existsSync(packaged)
    ? `${needs} Use the one in its packages: ${packaged}`
    : `${needs} Install Node 24 from nodejs.org, or start it with npm start.`;
}
