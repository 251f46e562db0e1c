import '../process/require-node.js';
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { AppConfig } from '../platform/config/app-config.js';
import { parseStorageUrl } from '../platform/config/parsers.js';
import { withCommandLock } from '../platform/database/command-lock.js';
import type { DatabaseConnection } from '../platform/database/pool/database-connection.js';
import { assertStartable } from '../platform/installation/assert-startable.js';
import { readStoredSettings } from '../platform/installation/read-stored-settings.js';
import type { StorageMoveService } from '../platform/storage/move/storage-move.service.js';
import { CommandError, runCommand } from './backup/run-command.js';
import { withDatabase } from './backup/with-database.js';
import { allowUploads } from './storage/allow-uploads.js';
import { withServices } from './shared/with-services.js';

const USAGE = `Usage:
  npm run storage -- move --to URL   moves the files to another storage while the product runs
  npm run storage -- move            continues a move that was interrupted
  npm run storage -- status          says how far a move is, and what to do next
  npm run storage -- cancel          cancels a move before it has switched, and deletes the copies
  npm run storage -- cors            lets pages of APP_URL send uploads to the bucket of STORAGE_URL`;

/** Only one command moves files, or deletes the copies of a cancelled move, at a time. */
const MOVE_LOCK = 7_206_643;

const print = (line: string) => console.log(line);

/** `npm run storage -- move | status | cancel | cors`: moves the files, and lets browsers send uploads to a bucket. */
await runCommand(async () => {
  const { positionals, values } = parseArgs({ options: { to: { type: 'string' } }, allowPositionals: true });
  const [word = '', ...more] = positionals;
  const isKnown = ['move', 'status', 'cancel', 'cors'].includes(word) && more.length === 0;
  if (!isKnown || (values.to !== undefined && word !== 'move')) throw new CommandError(USAGE);
  const targetUrl = values.to === undefined ? null : parseTarget(values.to);
  const config = AppConfig.from({ ...process.env, ROLE: 'web', LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' });
  await withDatabase(config, true, async (connection) => {
    if (word === 'cors') {
      config.applyInitialSettings(await readStoredSettings(connection));
      return print(await allowUploads(config));
    }
    await assertStartable(config, connection, { schema: true });
    await withServices(config, connection, async (services) => {
      const { StorageMoveService } = await import('../platform/storage/move/storage-move.service.js');
      await runMoveCommand(services.get(StorageMoveService), connection, word, targetUrl);
    });
  });
});

async function runMoveCommand(
  moves: StorageMoveService,
  connection: DatabaseConnection,
  word: string,
  targetUrl: string | null,
): Promise<void> {
  if (word === 'status') return (await moves.describe()).forEach(print);
  // Before the lock, so that a command that is moving files ends.
  if (word === 'cancel') await moves.cancel();
  const work = () => (word === 'cancel' ? moves.removeCopies(print) : moves.move(targetUrl, print));
  const onWait = () => Promise.resolve(print('Another command is moving the files. Waiting until it ends.'));
  await withCommandLock(connection, MOVE_LOCK, work, { onWait });
}

function parseTarget(text: string): string {
  try {
    return parseStorageUrl(text) ?? text;
  } catch (error) {
    throw new CommandError(`--to ${(error as Error).message}`);
  }
}
