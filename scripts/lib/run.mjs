import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './project.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the project's folder to its end, sharing the terminal. A signal that ends us ends it first.
 * @returns its exit code, or 128 + signal as a shell would say
 */
export function run(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options });
  const pass = (signal) => {
    child.once('exit', () => process.exit(exitCodeOf(null, signal)));
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.once(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  }).finally(() => SIGNALS.forEach((signal) => process.off(signal, pass)));
}

export function exitCodeOf(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}
