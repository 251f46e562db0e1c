import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostEnv } from './install.mjs';
import { inProject, onWindows, Trouble } from './project.mjs';

/** What the server needs; the packages bring a newer one where there is one for the machine. */
const NEEDED = [22, 17];

/**
 * The Node that runs the server: the one among the packages, else the machine's own.
 * @throws Trouble when neither is new enough
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

/** Whether a version like "24.1.0" is new enough for the server. */
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
