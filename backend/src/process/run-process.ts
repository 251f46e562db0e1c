import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../create-app.js';
import type { AppConfig } from '../platform/config/app-config.js';
import { connectionFromUrl, type DatabaseConnection } from '../platform/database/connection.js';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import { migrate } from '../platform/database/migrate.js';
import { Readiness } from '../platform/health/readiness.js';
import { drainRequests } from './drain-requests.js';
import { ShutdownSequence } from './shutdown-sequence.js';
import { WorkerProcess } from './worker-process.js';

/** How long one request may take to arrive, in milliseconds: 100 MB over a slow line. Uploads watch for standstill themselves. */
const REQUEST_PATIENCE = 3_600_000;

/**
 * Runs this process in its role until it is told to stop.
 * `all` serves, keeps the embedded database and has one worker as a child, so that jobs do not slow down answers.
 */
export async function runProcess(config: AppConfig): Promise<void> {
  const shutdown = new ShutdownSequence();
  shutdown.listen(config.role);
  try {
    const connection = await database(config, shutdown);
    if (config.role !== 'worker') await migrate(connection);
    if (shutdown.requested) return;
    const app = await createApp(config, connection);
    shutdown.add('application', () => app.close());
    if (config.role === 'worker') await app.init();
    else await serve(app, config, connection, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function database(config: AppConfig, shutdown: ShutdownSequence): Promise<DatabaseConnection> {
  if (config.databaseUrl !== null) return connectionFromUrl(config.databaseUrl);
  const postgres = new EmbeddedPostgres({
    dataDir: config.dataDir,
    onUnexpectedExit: (error) => shutdown.fail(error.message),
    onNotice: (sentence) => process.stdout.write(`${sentence}\n`),
  });
  shutdown.add('database', () => postgres.stop());
  return postgres.start();
}

async function serve(
  app: NestExpressApplication,
  config: AppConfig,
  connection: DatabaseConnection,
  shutdown: ShutdownSequence,
): Promise<void> {
  if (config.role === 'all') {
    const worker = new WorkerProcess(config, connection);
    shutdown.add('worker', () => worker.stop());
    worker.start();
  }
  shutdown.add('requests', () => drainRequests(app));
  shutdown.add('readiness', () => {
    app.get(Readiness).stopping = true;
  });
  app.getHttpServer().requestTimeout = REQUEST_PATIENCE;
  await app.listen(config.port);
  const address = app.getHttpServer().address() as { port: number };
  const url = config.appUrl.replace(/:0$/, `:${address.port}`);
  process.stdout.write(`\nZonary is ready: ${url}\n`);
  if (config.smtpUrl === null) process.stdout.write(`Mails that it sends are shown at ${url}/dev/mailbox\n`);
  process.stdout.write('Press Ctrl-C to stop.\n\n');
}
