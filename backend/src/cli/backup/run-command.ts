import { startFault } from '../../process/start-fault.js';

/** Why a backup was not made or not restored; the message is for the person at the terminal. */
export class BackupError extends Error {}

/**
 * Runs a command and ends the process: threads that hashed contents would keep it waiting for more. Whatever stops it is
 * told in a sentence when we know what it is, and ends it with 1.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    process.exit(0);
  } catch (error) {
    const isSentence = error instanceof BackupError || isAboutArguments(error);
    process.stderr.write(`${isSentence ? error.message : startFault(error)}\n`);
    process.exit(1);
  }
}

/** An option that there is not, or one without its value, as `parseArgs` says it. */
function isAboutArguments(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
