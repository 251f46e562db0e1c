import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { root } from '../project.mjs';

const GB = 1e9;
const gigabytes = (bytes) => `${(bytes / GB).toFixed(1)} GB`;

/**
 * Describes the machine in one line, so that a slow machine can be told from a slow change.
 * @param node the Node.js of the product
 * @param chromium the browser of the end-to-end tests, or null
 */
export function machine(node, chromium) {
  const disk = statfsSync(root);
  const [processor] = cpus();
  return [
    `${availableParallelism()} cores${processor ? ` (${processor.model.trim()})` : ''}`,
    `${gigabytes(freemem())} of ${gigabytes(totalmem())} memory free`,
    `${gigabytes(disk.bavail * disk.bsize)} disk free`,
    `load ${loadavg()[0].toFixed(2)}`,
    `Node.js ${version(node)} (scripts: ${process.version})`,
    chromium ? version(chromium) : 'no Chromium',
  ].join(', ');
}

function version(program) {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return `${program} does not tell its version`;
  }
}
