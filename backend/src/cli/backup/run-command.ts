import { describeStartupError } from '../../process/describe-startup-error.js';

/** Why a backup was not made or not restored; the message is for the person at the terminal. */
export class CommandError extends Error {}

/**
 * Runs a command and ends the process: threads that hashed contents would keep it waiting for more. Whatever stops it is
 * told in a sentence when we know what it is, and ends it with 1.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    process.exit(0);
  } catch (error) {
    const isSentence = error instanceof CommandError || isArgumentError(error);
    process.stderr.write(`${isSentence ? error.message : describeStartupError(error)}\n`);
    process.exit(1);
  }
}

/** An option that there is not, or one without its value, as `parseArgs` says it. */
function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
