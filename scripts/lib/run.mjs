import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './project.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the project's folder with the terminal's stdio. A signal that ends us ends it first.
 * @returns its exit code, or 128 + signal as in a shell
 */
export function run(program, args, options = {}) {
  return ended(spawn(program, args, { cwd: root, stdio: 'inherit', ...options }), 'exit');
}

/**
 * Runs a program likewise and captures its output.
 * @param options as for `spawn`
 * @returns `{code, output}`: both streams combined, in order of arrival
 */
export async function outputOf(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const pieces = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
  const code = await ended(child, 'close');
  return { code, output: Buffer.concat(pieces).toString() };
}

/** Waits for a child to exit; `event` decides whether its output must have ended too. */
function ended(child, event) {
  const pass = (signal) => {
    child.once('exit', () => process.exit(exitCodeOf(null, signal)));
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.once(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once(event, (code, signal) => resolve(exitCodeOf(code, signal)));
  }).finally(() => SIGNALS.forEach((signal) => process.off(signal, pass)));
}

export function exitCodeOf(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}
