import { readFileSync } from 'node:fs';

/**
 * Returns a function that tells whether the npm that started us has exited. Always false if something else started us:
 * a shell may exit and deliberately leave us running.
 */
export function createNpmExitCheck() {
  if (!process.env.npm_lifecycle_event) return () => false;
  const index = process.platform === 'linux' ? readAncestorPids().findIndex(isNpm) : 0;
  const npmPid = readAncestorPids()[index];
  return () => npmPid !== undefined && readAncestorPids()[index] !== npmPid;
}

/** Our parent and its parent: npm starts us through a shell, which some shells replace by the command. */
function readAncestorPids() {
  return [process.ppid, readParentPid(process.ppid)];
}

function readParentPid(pid) {
  return Number(/\) \S (\d+)/.exec(readIfPossible(`/proc/${pid}/stat`))?.[1]);
}

function isNpm(pid) {
  return readIfPossible(`/proc/${pid}/comm`).startsWith('npm');
}

function readIfPossible(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
