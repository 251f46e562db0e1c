import { spawn } from 'node:child_process';
import { SECOND } from '../../clock/clock.js';
import { sandboxCommand } from './sandbox.js';

/** CPU limit enforced by the kernel, in seconds. */
const CPU_SECONDS = 120;

/** How LibreOffice can be restricted on this system. */
export interface SandboxCapabilities {
  /** Whether it has access only to its own folder, which makes references in documents harmless. */
  readonly isIsolated: boolean;
  readonly isMemoryLimited: boolean;
  /** Whether it is killed even when its parent process is gone. */
  readonly hasTimeout: boolean;
}

/** What to restrict, and the limits. */
interface SandboxOptions {
  readonly folder: string;
  readonly program: string;
  readonly hidden: readonly string[];
  /** Maximum address space, in bytes. */
  readonly memory: number;
  /** Maximum size of each file that it writes, in bytes. */
  readonly maxFileBytes: number;
  /** Milliseconds after which it is killed if its parent process was killed before. */
  readonly timeout: number;
}

/** Detects what the system supports by trying it. */
export async function detectSandboxCapabilities(folder: string, program: string): Promise<SandboxCapabilities> {
  return {
    isIsolated: await canRun([...sandboxCommand(folder, program, []), '/bin/true']),
    isMemoryLimited: await canRun(['prlimit', '--core=0', '--', 'true']),
    hasTimeout: await canRun([...timeoutCommand(5 * SECOND), 'true']),
  };
}

/** Returns the command prefix that applies the restrictions. */
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

/** Also kills its children, which are in its process group or namespace. */
const timeoutCommand = (time: number) => ['timeout', '-s', 'KILL', String(Math.ceil(time / SECOND))];

async function canRun([program, ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program!, args, { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
