import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { isWindows, projectRoot } from '../project.mjs';
import { toExitCode } from '../run.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** How long a process group may take to exit after a signal before it is killed, in milliseconds. */
const KILL_DELAY_MS = 10_000;
/** How long a process may take to exit after it has written its results, in milliseconds. */
const EXIT_TIMEOUT_MS = 60_000;

/**
 * Runs a test runner in its own process group: a signal that ends us also ends its workers, with a kill after ten
 * seconds.
 * @param options.env its environment
 * @param options.resultsFile the file it writes at its end, new in each run: a process that doesn't exit within a minute
 * (`options.exitTimeout`, in milliseconds) after that is ended
 * @param options.abortSignal an AbortSignal that interrupts it like Ctrl-C, so that it can still write its results; ten
 * seconds later it is killed
 * @returns its exit code, or 128 + signal as in a shell
 */
export function runProcessGroup(program, args, options = {}) {
  const { env = process.env, resultsFile, exitTimeout = EXIT_TIMEOUT_MS, abortSignal } = options;
  const stdio = ['ignore', 'inherit', 'inherit'];
  const child = spawn(program, args, { cwd: projectRoot, stdio, env, detached: !isWindows });
  const forwardSignal = (signal) => {
    child.once('exit', () => process.exit(toExitCode(null, signal)));
    sendSignal(child, signal);
    setTimeout(() => sendSignal(child, 'SIGKILL'), KILL_DELAY_MS).unref();
  };
  for (const signal of SIGNALS) process.once(signal, forwardSignal);
  const interrupt = () => {
    sendSignal(child, 'SIGINT');
    setTimeout(() => sendSignal(child, 'SIGKILL'), KILL_DELAY_MS).unref();
  };
  abortSignal?.addEventListener('abort', interrupt);
  const exitTimer = resultsFile && setInterval(() => killIfFinished(child, resultsFile, exitTimeout), 250);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(toExitCode(code, signal)));
  }).finally(() => {
    clearInterval(exitTimer);
    abortSignal?.removeEventListener('abort', interrupt);
    SIGNALS.forEach((signal) => process.off(signal, forwardSignal));
  });
}

function killIfFinished(child, resultsFile, exitTimeout) {
  const stats = statSync(resultsFile, { throwIfNoEntry: false });
  if (stats && Date.now() - stats.mtimeMs > exitTimeout) sendSignal(child, 'SIGKILL');
}

function sendSignal(child, signal) {
  try {
    if (isWindows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // The whole group has exited.
    if (error.code !== 'ESRCH') throw error;
  }
}
