import '../process/require-node.js';
import 'reflect-metadata';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppConfig } from '../platform/config/app-config.js';
import { runCommand, CommandError } from './backup/run-command.js';
import { createBackup } from './backup/create-backup.js';
import { withDatabase } from './backup/with-database.js';
import { assertStartable } from '../platform/installation/assert-startable.js';

/**
 * `npm run backup -- --to FILE|FOLDER|-`: writes a single file with all data, even while the app is running; `-` writes
 * to standard output.
 */
await runCommand(async () => {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
  if (!to) throw new CommandError('Usage: npm run backup -- --to FILE or FOLDER, or - for standard output');
  const target = to === '-' ? process.stdout : fileFor(resolve(to));
  if (target === process.stdout && process.stdout.isTTY) {
    throw new CommandError('Standard output is a terminal. Redirect it to a file or another program.');
  }
  const config = AppConfig.from(process.env);
  const { rows, objects } = await withDatabase(config, true, async (connection) => {
    await assertStartable(config, connection);
    return createBackup(config, connection, target);
  });
  const count = Object.values(rows).reduce((sum, rowCount) => sum + rowCount, 0);
  const file =
    typeof target === 'string' ? `${target} (${(statSync(target).size / 2 ** 20).toFixed(1)} MB)` : 'standard output';
  // Standard output may be the backup itself.
  const print = typeof target === 'string' ? console.log : console.error;
  print(`Backed up ${count} rows and ${objects} files to ${file}.`);
  print('The backup contains email addresses, password digests and secrets. Keep it where only you can read it.');
});

/** Returns the file to write; in a folder, one named by the current time. */
function fileFor(to: string): string {
  if (!statSync(to, { throwIfNoEntry: false })?.isDirectory()) return to;
  return join(to, `zonary-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.tar`);
}
