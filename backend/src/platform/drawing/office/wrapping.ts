import { spawn } from 'node:child_process';
import { jailed } from './jail.js';

/** Nothing of it may lie about as the image of a process that crashed; one whose parent was killed ends by itself. */
const SECONDS_OF_PROCESSOR = 120;

/** What holds LibreOffice, as far as this system has it. */
export interface Wrapping {
  /** Whether it sees nothing but its own folder: then it does not matter what a document names. */
  readonly isApart: boolean;
  readonly isLimited: boolean;
}

/** What is held, and to what. */
interface Held {
  readonly folder: string;
  readonly program: string;
  readonly hidden: readonly string[];
  /** Bytes of address space. */
  readonly memory: number;
  /** Bytes of each file that it writes. */
  readonly file: number;
}

/** Finds out what the system allows, by doing it. */
export async function findWrapping(folder: string, program: string): Promise<Wrapping> {
  return {
    isApart: await works([...jailed(folder, program, []), '/bin/true']),
    isLimited: await works(['prlimit', '--core=0', '--', 'true']),
  };
}

/** What stands before the command. */
export function wrappingOf(
  { isApart, isLimited }: Wrapping,
  { folder, program, hidden, memory, file }: Held,
): readonly string[] {
  const limits = [`--as=${memory}`, `--fsize=${file}`, `--cpu=${SECONDS_OF_PROCESSOR}`, '--core=0'];
  return [...(isApart ? jailed(folder, program, hidden) : []), ...(isLimited ? ['prlimit', ...limits, '--'] : [])];
}

async function works([program, ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program!, args, { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
