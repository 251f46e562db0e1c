import '../process/require-node.js';
import 'reflect-metadata';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppConfig } from '../platform/config/app-config.js';
import { CommandError, runCommand } from './backup/run-command.js';
import { readManifest, restoreBackup } from './backup/restore-backup.js';
import { withDatabase } from './backup/with-database.js';

/** `npm run restore -- --from FILE`: fills an empty DATA_DIR (or DATABASE_URL and STORAGE_URL) from a backup. */
await runCommand(async () => {
  const { from } = parseArgs({ options: { from: { type: 'string' } } }).values;
  if (!from) throw new CommandError('Usage: npm run restore -- --from FILE');
  const file = resolve(from);
  const { madeAt } = await readManifest(file);
  const config = AppConfig.from(process.env);
  const { rows, objects } = await withDatabase(config, false, (connection) => restoreBackup(config, connection, file));
  const count = Object.values(rows).reduce((sum, rowCount) => sum + rowCount, 0);
  console.log(`Restored ${count} rows and ${objects} files from the backup of ${madeAt}.`);
});
