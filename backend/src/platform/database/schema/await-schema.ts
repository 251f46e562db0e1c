import { setTimeout } from 'node:timers/promises';
import { StartupError } from '../../errors/startup-error.js';
import type { DatabaseConnection } from '../pool/database-connection.js';
import { checkSchemaVersion } from './check-schema-version.js';

/** How long a process that does not run migrations waits for them, in milliseconds. */
export const SCHEMA_WAIT_TIMEOUT = 60_000;
/** In milliseconds. */
const POLL_INTERVAL = 500;

interface AwaitSchemaOptions {
  /** In milliseconds. */
  readonly timeout?: number;
  /** Called once with a message if there is something to wait for. */
  readonly onWait?: (sentence: string) => void;
}

/**
 * Waits until the database has all migrations of this version.
 * @throws StartupError after the timeout, and all errors of `checkSchemaVersion`
 */
export async function awaitSchema(
  connection: DatabaseConnection,
  { timeout = SCHEMA_WAIT_TIMEOUT, onWait }: AwaitSchemaOptions = {},
): Promise<void> {
  const end = performance.now() + timeout;
  const seconds = timeout / 1000;
  for (let first = true; ; first = false) {
    const [missing] = await checkSchemaVersion(connection);
    if (missing === undefined) return;
    if (performance.now() >= end) {
      throw new StartupError(
        `The database lacks ${missing} and wasn't migrated within ${seconds} seconds. Workers don't migrate it. ` +
          'Start a process of this version with ROLE=web or all, or run npm run migrate. Then start the worker again.',
      );
    }
    if (first) onWait?.(`The database lacks ${missing}; this worker waits up to ${seconds} seconds for it.`);
    await setTimeout(POLL_INTERVAL);
  }
}
