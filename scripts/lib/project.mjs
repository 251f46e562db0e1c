import { join } from 'node:path';

/** The folder with `package.json`. */
export const projectRoot = join(import.meta.dirname, '../..');

export const isWindows = process.platform === 'win32';

/** A path inside the project. */
export const projectPath = (...segments) => join(projectRoot, ...segments);

/** V8's compile cache, which all processes of a test run share. */
export const compileCache = projectPath('dist/compile-cache');

/** An error the user can fix; shown without a stack trace. */
export class ScriptError extends Error {}

/** Prints a progress message to stderr, because stdout may be a backup. */
export function log(message) {
  console.error(`zonary: ${message}`);
}

/** Runs a command's main function and exits with its result; prints only the message of a `ScriptError`. */
export async function runMain(callback) {
  try {
    process.exitCode = (await callback()) ?? 0;
  } catch (error) {
    console.error(error instanceof ScriptError ? `zonary: ${error.message}` : error);
    process.exitCode = 1;
  }
}
