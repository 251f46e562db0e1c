import { spawn } from 'node:child_process';
import { SECOND } from '../../clock/clock.js';
import { sandboxCommand } from './sandbox.js';

/** Of whoever has nothing to do but reckon. */
const CPU_SECONDS = 120;

/** What holds LibreOffice, as far as this system has it. */
export interface SandboxCapabilities {
  /** Whether it sees nothing but its own folder: then it does not matter what a document names. */
  readonly isIsolated: boolean;
  readonly isMemoryLimited: boolean;
  /** Whether it ends by itself when nobody is left who would end it. */
  readonly hasTimeout: boolean;
}

/** What is held, and to what. */
interface SandboxOptions {
  readonly folder: string;
  readonly program: string;
  readonly hidden: readonly string[];
  /** Bytes of address space. */
  readonly memory: number;
  /** Bytes of each file that it writes. */
  readonly maxFileBytes: number;
  /** Milliseconds after which it is killed, if the process that waits for it was killed before. */
  readonly timeout: number;
}

/** Finds out what the system allows, by doing it. */
export async function detectSandboxCapabilities(folder: string, program: string): Promise<SandboxCapabilities> {
  return {
    isIsolated: await canRun([...sandboxCommand(folder, program, []), '/bin/true']),
    isMemoryLimited: await canRun(['prlimit', '--core=0', '--', 'true']),
    hasTimeout: await canRun([...timeoutCommand(5 * SECOND), 'true']),
  };
}

/** What stands before the command. */
export function sandboxPrefix(
  { isIsolated, isMemoryLimited, hasTimeout }: SandboxCapabilities,
  { folder, program, hidden, memory, maxFileBytes, timeout }: SandboxOptions,
): readonly string[] {
  const limits = [`--as=${memory}`, `--fsize=${maxFileBytes}`, `--cpu=${CPU_SECONDS}`, '--core=0'];
  return [
    ...(hasTimeout ? timeoutCommand(timeout) : []),
    ...(isIsolated ? sandboxCommand(folder, program, hidden) : []),
    ...(isMemoryLimited ? ['prlimit', ...limits, '--'] : []),
  ];
}

/** Also all that it has started, which is in its group or in its namespace. */
const timeoutCommand = (time: number) => ['timeout', '-s', 'KILL', String(Math.ceil(time / SECOND))];

async function canRun([program, ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program!, args, { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
