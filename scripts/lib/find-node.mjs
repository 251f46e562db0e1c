import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createHostEnv } from './install.mjs';
import { projectPath, isWindows, ScriptError } from './project.mjs';

/** The server's minimum version; the packages include a newer one if available for the platform. */
const MIN_VERSION = [22, 17];

/**
 * Returns the Node executable for the server: the one from the packages, else the system's.
 * @throws ScriptError if neither is new enough
 */
export function findNode() {
  const platform = isWindows ? 'win' : process.platform;
  const packaged = projectPath(`node_modules/node-${platform}-${process.arch}/bin`, isWindows ? 'node.exe' : 'node');
  if (existsSync(packaged) && isNodeSupported(readVersion(packaged))) return packaged;
  const systemVersion = readVersion('node');
  if (isNodeSupported(systemVersion)) return 'node';
  throw new ScriptError(
    `the server needs Node ${MIN_VERSION.join('.')} or newer. The packages contain none for this machine ` +
      `(${process.platform} ${process.arch}), and its own is ${systemVersion || 'missing'}. Install Node 24 from nodejs.org.`,
  );
}

/** Whether a version such as "24.1.0" is new enough for the server. */
export function isNodeSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1]);
}

function readVersion(node) {
  if (node === process.execPath) return process.versions.node;
  try {
    const options = { encoding: 'utf8', env: createHostEnv(), stdio: 'pipe' };
    return execFileSync(node, ['-p', 'process.versions.node'], options).trim();
  } catch {
    return '';
  }
}
