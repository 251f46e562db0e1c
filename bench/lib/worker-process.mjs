import { execFileSync } from 'node:child_process';

/** The worker process started by a process with role `all`. */
export function workerOf(parent) {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)])
    .toString()
    .split('\n');
  return Number.parseInt(
    lines.find((line) => line.includes('main.js')),
    10,
  );
}
