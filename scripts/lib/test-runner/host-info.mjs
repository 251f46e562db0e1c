import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { projectRoot } from '../project.mjs';

const GB = 1e9;
const toGigabytes = (bytes) => `${(bytes / GB).toFixed(1)} GB`;

/**
 * Describes the machine in one line, so that a slow machine can be distinguished from a slow change.
 * @param node the Node.js of the product
 * @param chromium the browser of the end-to-end tests, or null
 */
export function describeHost(node, chromium) {
  const disk = statfsSync(projectRoot);
  const [processor] = cpus();
  return [
    `${availableParallelism()} cores${processor ? ` (${processor.model.trim()})` : ''}`,
    `${toGigabytes(freemem())} of ${toGigabytes(totalmem())} memory free`,
    `${toGigabytes(disk.bavail * disk.bsize)} disk free`,
    `load ${loadavg()[0].toFixed(2)}`,
    `Node.js ${readVersion(node)} (scripts: ${process.version})`,
    chromium ? readVersion(chromium) : 'no Chromium',
  ].join(', ');
}

function readVersion(program) {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return `${program} (unknown version)`;
  }
}
