import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostEnv } from './install.mjs';
import { inProject, onWindows, Trouble } from './project.mjs';

/** The server's minimum version; the packages include a newer one if available for the platform. */
const NEEDED = [22, 17];

/**
 * Returns the Node executable for the server: the one from the packages, else the system's.
 * @throws Trouble if neither is new enough
 */
export function findNode() {
  const system = onWindows ? 'win' : process.platform;
  const packaged = inProject(`node_modules/node-${system}-${process.arch}/bin`, onWindows ? 'node.exe' : 'node');
  if (existsSync(packaged) && isEnough(versionOf(packaged))) return packaged;
  const own = versionOf('node');
  if (isEnough(own)) return 'node';
  throw new Trouble(
    `the server needs Node ${NEEDED.join('.')} or newer. The packages contain none for this machine ` +
      `(${process.platform} ${process.arch}), and its own is ${own || 'missing'}. Install Node 24 from nodejs.org.`,
  );
}

/** Whether a version such as "24.1.0" is new enough for the server. */
export function isEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

function versionOf(node) {
  if (node === process.execPath) return process.versions.node;
  try {
    const options = { encoding: 'utf8', env: hostEnv(), stdio: 'pipe' };
    return execFileSync(node, ['-p', 'process.versions.node'], options).trim();
  } catch {
    return '';
  }
}
