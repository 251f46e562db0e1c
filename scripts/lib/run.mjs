import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { projectRoot } from './project.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the project's folder with the terminal's stdio. A signal that ends us ends it first.
 * @returns its exit code, or 128 + signal as in a shell
 */
export function run(program, args, options = {}) {
  return waitForExit(spawn(program, args, { cwd: projectRoot, stdio: 'inherit', ...options }), 'exit');
}

/**
 * Runs a program in the same way, but captures its output.
 * @param options as for `spawn`
 * @returns `{code, output}`: both streams combined, in order of arrival
 */
export async function captureOutput(program, args, options = {}) {
  const child = spawn(program, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const code = await waitForExit(child, 'close');
  return { code, output: Buffer.concat(chunks).toString() };
}

/** Waits for a child to exit; `event` decides whether its output must have ended too. */
function waitForExit(child, event) {
  const forwardSignal = (signal) => {
    child.once('exit', () => process.exit(toExitCode(null, signal)));
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.once(signal, forwardSignal);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once(event, (code, signal) => resolve(toExitCode(code, signal)));
  }).finally(() => SIGNALS.forEach((signal) => process.off(signal, forwardSignal)));
}

export function toExitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}
