import 'reflect-metadata';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppConfig } from '../platform/config/app-config.js';
import { runCommand } from './backup/command.js';
import { BackupError } from './backup/backup.error.js';
import { makeBackup } from './backup/make-backup.js';
import { withDatabase } from './backup/source.js';

/** `npm run backup -- --to FILE|FOLDER`: one file with everything, also beside a running product. */
await runCommand(async () => {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
  if (!to) throw new BackupError('Say where to: npm run backup -- --to FILE or FOLDER');
  const file = fileFor(resolve(to));
  const config = AppConfig.from(process.env);
  const { rows, objects } = await withDatabase(config, true, (connection) => makeBackup(config, connection, file));
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
  const megabytes = (statSync(file).size / 2 ** 20).toFixed(1);
  console.log(`Backed up ${count} rows and ${objects} contents into ${file} (${megabytes} MB).`);
  console.log('It holds addresses, password digests and secrets: keep it where only you can read it.');
});

/** In a folder, a file named by the time. */
function fileFor(to: string): string {
  if (!statSync(to, { throwIfNoEntry: false })?.isDirectory()) return to;
  return join(to, `zonary-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.tar`);
}
