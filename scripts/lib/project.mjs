import { join } from 'node:path';

/** The folder that holds package.json. */
export const root = join(import.meta.dirname, '../..');

export const onWindows = process.platform === 'win32';

/** A path inside the project. */
export const inProject = (...parts) => join(root, ...parts);

/** Something that went wrong and that the person at the terminal can mend; shown without a stack. */
export class Trouble extends Error {}

/** One line of progress; beside standard output, which may be a backup. */
export function say(line) {
  console.error(`zonary: ${line}`);
}

/** Runs a command's main function; its result is the exit code, a Trouble is told as its sentence. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error instanceof Trouble ? `zonary: ${error.message}` : error);
    process.exitCode = 1;
  }
}
