import { ConfigError } from '../../platform/config/app-config.js';
import { EmbeddedPostgresError } from '../../platform/database/embedded/embedded-postgres.error.js';
import { BackupError } from './backup.error.js';

/** Runs a command; whatever stops it is told in a sentence when we know what it is, and ends the process with 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const known =
      error instanceof BackupError || error instanceof ConfigError || error instanceof EmbeddedPostgresError;
    process.stderr.write(`${known ? error.message : String((error as Error).stack)}\n`);
    process.exitCode = 1;
  }
}
