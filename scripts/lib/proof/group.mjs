import { spawn } from 'node:child_process';
import { onWindows, root } from '../project.mjs';
import { exitCodeOf } from '../run.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** How long a group may take to end in order, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Runs a test runner to its end, in a group of its own: a signal that ends us ends its workers too, after ten seconds
 * whether they want to or not.
 * @returns its exit code, or 128 + signal as a shell would say
 */
export function runGroup(program, args, { env = process.env } = {}) {
  const stdio = ['ignore', 'inherit', 'inherit'];
  const child = spawn(program, args, { cwd: root, stdio, env, detached: !onWindows });
  const pass = (signal) => {
    child.once('exit', () => process.exit(exitCodeOf(null, signal)));
    send(child, signal);
    setTimeout(() => send(child, 'SIGKILL'), PATIENCE).unref();
  };
  for (const signal of SIGNALS) process.once(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  }).finally(() => SIGNALS.forEach((signal) => process.off(signal, pass)));
}

function send(child, signal) {
  try {
    if (onWindows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // All of it has ended.
    if (error.code !== 'ESRCH') throw error;
  }
}
