import { setTimeout } from 'node:timers/promises';
import { StartRefusal } from '../../errors/start-refusal.js';
import type { DatabaseConnection } from '../pool/connection.js';
import { examineDatabase } from './examine-database.js';

/** How long a process that does not migrate waits for one that does, in milliseconds. */
export const SCHEMA_PATIENCE = 60_000;
/** How often it looks, in milliseconds. */
const LOOK = 500;

interface Waiting {
  /** Milliseconds. */
  readonly patience?: number;
  /** Hears once, in a sentence, that there is something to wait for. */
  readonly onWait?: (sentence: string) => void;
}

/**
 * Waits until the database has all that this version needs.
 * @throws StartRefusal when it still lacks something after that time, and whatever `examineDatabase` refuses
 */
export async function awaitSchema(
  connection: DatabaseConnection,
  { patience = SCHEMA_PATIENCE, onWait }: Waiting = {},
): Promise<void> {
  const end = performance.now() + patience;
  const seconds = patience / 1000;
  for (let first = true; ; first = false) {
    const [lacking] = await examineDatabase(connection);
    if (lacking === undefined) return;
    if (performance.now() >= end) {
      throw new StartRefusal(
        `The database lacks ${lacking} and wasn't migrated within ${seconds} seconds. Workers don't migrate it. ` +
          'Start a process of this version with ROLE=web or all, or run npm run migrate. Then start the worker again.',
      );
    }
    if (first) onWait?.(`The database lacks ${lacking}; this worker waits up to ${seconds} seconds for it.`);
    await setTimeout(LOOK);
  }
}
