import { readFileSync } from 'node:fs';

/**
 * Returns a function that tells whether the npm that started us has exited. Always false if something else started us:
 * a shell may exit and deliberately leave us running.
 */
export function watchNpm() {
  if (!process.env.npm_lifecycle_event) return () => false;
  const distance = process.platform === 'linux' ? ancestors().findIndex(isNpm) : 0;
  const npm = ancestors()[distance];
  return () => npm !== undefined && ancestors()[distance] !== npm;
}

/** Our parent and its parent: npm starts us through a shell, which some shells replace by the command. */
function ancestors() {
  return [process.ppid, parentOf(process.ppid)];
}

function parentOf(pid) {
  return Number(/\) \S (\d+)/.exec(readFrom(`/proc/${pid}/stat`))?.[1]);
}

function isNpm(pid) {
  return readFrom(`/proc/${pid}/comm`).startsWith('npm');
}

function readFrom(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
