import { execFileSync } from 'node:child_process';

/** The worker that a process in the role of `all` keeps. */
export function workerOf(parent) {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)])
    .toString()
    .split('\n');
  return Number.parseInt(
    lines.find((line) => line.includes('main.js')),
    10,
  );
}
