import { spawn } from 'node:child_process';
import { SECOND } from '../../clock/clock.js';
import { jailed } from './jail.js';

/** Of whoever has nothing to do but reckon. */
const SECONDS_OF_PROCESSOR = 120;

/** What holds LibreOffice, as far as this system has it. */
export interface Wrapping {
  /** Whether it sees nothing but its own folder: then it does not matter what a document names. */
  readonly isApart: boolean;
  readonly isLimited: boolean;
  /** Whether it ends by itself when nobody is left who would end it. */
  readonly isTimed: boolean;
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
  /** Milliseconds after which it is killed, if the process that waits for it was killed before. */
  readonly time: number;
}

/** Finds out what the system allows, by doing it. */
export async function findWrapping(folder: string, program: string): Promise<Wrapping> {
  return {
    isApart: await works([...jailed(folder, program, []), '/bin/true']),
    isLimited: await works(['prlimit', '--core=0', '--', 'true']),
    isTimed: await works([...killedAfter(5 * SECOND), 'true']),
  };
}

/** What stands before the command. */
export function wrappingOf(
  { isApart, isLimited, isTimed }: Wrapping,
  { folder, program, hidden, memory, file, time }: Held,
): readonly string[] {
  const limits = [`--as=${memory}`, `--fsize=${file}`, `--cpu=${SECONDS_OF_PROCESSOR}`, '--core=0'];
  return [
    ...(isTimed ? killedAfter(time) : []),
    ...(isApart ? jailed(folder, program, hidden) : []),
    ...(isLimited ? ['prlimit', ...limits, '--'] : []),
  ];
}

/** Also all that it has started, which is in its group or in its namespace. */
const killedAfter = (time: number) => ['timeout', '-s', 'KILL', String(Math.ceil(time / SECOND))];

async function works([program, ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program!, args, { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
