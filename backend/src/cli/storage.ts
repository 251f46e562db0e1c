import '../process/require-node.js';
import 'reflect-metadata';
import { AppConfig } from '../platform/config/app-config.js';
import { readStoredSettings } from '../platform/installation/read-stored-settings.js';
import { CommandError, runCommand } from './backup/run-command.js';
import { withDatabase } from './backup/with-database.js';
import { allowUploads } from './storage/allow-uploads.js';

const USAGE = `Usage:
  npm run storage -- cors   lets pages of APP_URL send uploads to the bucket of STORAGE_URL`;

/** `npm run storage -- cors`: sets the rule of the bucket that direct uploads need. */
await runCommand(async () => {
  const [word, ...more] = process.argv.slice(2);
  if (word !== 'cors' || more.length > 0) throw new CommandError(USAGE);
  const config = AppConfig.from(process.env);
  await withDatabase(config, true, async (connection) => {
    config.applyInitialSettings(await readStoredSettings(connection));
    console.log(await allowUploads(config));
  });
});
