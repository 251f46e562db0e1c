import { describeStartupError } from '../../process/describe-startup-error.js';

/** A command failed for a known reason. The message is for the person at the terminal. */
export class CommandError extends Error {}

/**
 * Runs a command and exits the process, which idle hashing threads would otherwise keep alive. Errors with a known
 * reason are printed as one sentence; all errors exit with code 1.
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

/** True for the errors of `parseArgs`: an unknown option, or one without its value. */
function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
