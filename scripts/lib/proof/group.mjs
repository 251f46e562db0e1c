import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { onWindows, root } from '../project.mjs';
import { exitCodeOf } from '../run.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Time for a process group to exit cleanly, in milliseconds. */
const PATIENCE = 10_000;
/** Time to exit by itself after writing its results, in milliseconds. */
const PATIENCE_AFTER = 60_000;

/**
 * Runs a test runner in its own process group: a signal that ends us also ends its workers, with a kill after ten
 * seconds.
 * @param options.env its environment
 * @param options.results the file it writes at its end, new in each run: a process that doesn't exit within a minute
 * (`options.patience`, in milliseconds) after that is ended
 * @param options.limit an AbortSignal that interrupts it like Ctrl-C, so that it can still write its results; ten
 * seconds later it is killed
 * @returns its exit code, or 128 + signal as in a shell
 */
export function runGroup(program, args, { env = process.env, results, patience = PATIENCE_AFTER, limit } = {}) {
  const stdio = ['ignore', 'inherit', 'inherit'];
  const child = spawn(program, args, { cwd: root, stdio, env, detached: !onWindows });
  const pass = (signal) => {
    child.once('exit', () => process.exit(exitCodeOf(null, signal)));
    send(child, signal);
    setTimeout(() => send(child, 'SIGKILL'), PATIENCE).unref();
  };
  for (const signal of SIGNALS) process.once(signal, pass);
  const interrupt = () => {
    send(child, 'SIGINT');
    setTimeout(() => send(child, 'SIGKILL'), PATIENCE).unref();
  };
  limit?.addEventListener('abort', interrupt);
  const watch = results && setInterval(() => endIfDone(child, results, patience), 250);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  }).finally(() => {
    clearInterval(watch);
    limit?.removeEventListener('abort', interrupt);
    SIGNALS.forEach((signal) => process.off(signal, pass));
  });
}

function endIfDone(child, results, patience) {
  const written = statSync(results, { throwIfNoEntry: false });
  if (written && Date.now() - written.mtimeMs > patience) send(child, 'SIGKILL');
}

function send(child, signal) {
  try {
    if (onWindows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // The whole group has exited.
    if (error.code !== 'ESRCH') throw error;
  }
}
