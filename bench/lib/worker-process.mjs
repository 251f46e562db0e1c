import { execFileSync } from 'node:child_process';

/** Returns the process id of the worker started by a process with role `all`. */
export function findWorkerPid(parentPid) {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parentPid)])
    .toString()
    .split('\n');
  return Number.parseInt(
    lines.find((line) => line.includes('main.js')),
    10,
  );
}
