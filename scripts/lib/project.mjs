import { join } from 'node:path';

/** The folder with `package.json`. */
export const root = join(import.meta.dirname, '../..');

export const onWindows = process.platform === 'win32';

/** A path inside the project. */
export const inProject = (...parts) => join(root, ...parts);

/** An error the user can fix; shown without a stack trace. */
export class Trouble extends Error {}

/** Prints a line of progress to stderr, because stdout may be a backup. */
export function say(line) {
  console.error(`zonary: ${line}`);
}

/** Runs a command's main function and exits with its result; prints only the message of a `Trouble`. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error instanceof Trouble ? `zonary: ${error.message}` : error);
    process.exitCode = 1;
  }
}
