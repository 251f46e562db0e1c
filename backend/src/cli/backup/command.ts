import { ConfigError } from '../../platform/config/app-config.js';
import { EmbeddedPostgresError } from '../../platform/database/embedded/embedded-postgres.error.js';
import { BackupError } from './backup.error.js';

/**
 * Runs a command and ends the process: threads that hashed contents would keep it waiting for more. Whatever stops it is
 * told in a sentence when we know what it is, and ends it with 1.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    process.exit(0);
  } catch (error) {
    const known =
      error instanceof BackupError || error instanceof ConfigError || error instanceof EmbeddedPostgresError;
    process.stderr.write(`${known ? error.message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}
