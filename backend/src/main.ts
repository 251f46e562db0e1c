import 'reflect-metadata';
import { AppConfig, ConfigError } from './platform/config/app-config.js';
import { EmbeddedPostgresError } from './platform/database/embedded/embedded-postgres.error.js';
import { runProcess } from './process/run-process.js';

/** One entry for every role. Whatever stops the start is told in a sentence, not in a stack, when we know what it is. */
try {
  await runProcess(AppConfig.from(process.env));
} catch (error) {
  const known = error instanceof ConfigError || error instanceof EmbeddedPostgresError;
  process.stderr.write(
    known ? `\n${error.message}\n` : `\nZonary could not start.\n${String((error as Error).stack)}\n`,
  );
  process.exit(1);
}
