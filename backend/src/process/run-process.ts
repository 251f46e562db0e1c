import { setTimeout } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../create-app.js';
import type { AppConfig } from '../platform/config/app-config.js';
import { productVersion } from '../platform/config/version.js';
import { connectionFromUrl, type DatabaseConnection } from '../platform/database/pool/database-connection.js';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import { awaitSchema } from '../platform/database/schema/await-schema.js';
import { migrate } from '../platform/database/schema/migrate.js';
import { EventStreamsService } from '../platform/http/event-streams/event-streams.service.js';
import { MailboxKey } from '../platform/email/mailbox/mailbox-key.js';
import { StartupMessages } from '../platform/health/startup-messages.js';
import { WarmupTasks } from '../platform/health/warmup-tasks.js';
import { Readiness } from '../platform/health/readiness.js';
import { WorkerHeartbeat } from '../platform/jobs/running/worker-heartbeat.js';
import { InstanceRegistryService } from '../platform/health/instances/instance-registry.service.js';
import { readStoredSettings } from '../platform/installation/read-stored-settings.js';
import { assertStartable } from '../platform/installation/assert-startable.js';
import { drainRequests } from './drain-requests.js';
import { ShutdownSequence } from './shutdown-sequence.js';
import { WorkerHealthServer } from './worker-health-server.js';
import { MaintenanceServer } from './maintenance-server.js';
import { sendHeartbeatToParent, WorkerProcess } from './worker-process.js';

/** Printed when there is no mail server and the mailbox isn't available, because the app has a public address. */
const EMAILS_NOT_SENT =
  "Emails aren't sent because SMTP_URL is not set. They are kept in DATA_DIR/mailbox. " +
  'You can also set an email server under Super Admin → Site.';

/**
 * Runs this process in its role until it receives a stop signal. `all` serves requests, runs the embedded database and starts
 * one worker as a child process, so that jobs don't slow down responses.
 */
export async function runProcess(config: AppConfig): Promise<void> {
  const shutdown = new ShutdownSequence(config.role === 'worker' ? 0 : config.shutdownDelay + config.drainTime);
  shutdown.handleSignals(config.role);
  try {
    const connection = await openDatabase(config, shutdown);
    const maintenance = new MaintenanceServer(config);
    shutdown.add('waiting', () => maintenance.close());
    await prepareSchema(config, connection, maintenance);
    if (shutdown.isRequested) return;
    // Before anything is derived from the configuration.
    config.applyInitialSettings(await readStoredSettings(connection));
    const app = await createApp(config, connection);
    shutdown.add('application', () => app.close());
    if (config.role === 'worker') await runWorker(app, config, shutdown);
    else await runWebServer(app, config, connection, shutdown, maintenance);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

const print = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** Migrates the schema, or waits for another process that does. Web processes respond with an error while they wait. */
async function prepareSchema(
  config: AppConfig,
  connection: DatabaseConnection,
  maintenance: MaintenanceServer,
): Promise<void> {
  if (config.role === 'worker') return awaitSchema(connection, { onWait: print });
  // Checked first: a newer version with a wrong secret would migrate the schema to one that the running version doesn't
  // know.
  await assertStartable(config, connection);
  await migrate(connection, {
    onWait: async () => {
      await maintenance.listen();
      print(
        `Another process is migrating the database. Until it's done, requests on port ${maintenance.port} are answered with 503.`,
      );
    },
  });
}

async function runWorker(app: NestExpressApplication, config: AppConfig, shutdown: ShutdownSequence): Promise<void> {
  const heartbeat = app.get(WorkerHeartbeat);
  heartbeat.onHeartbeat(sendHeartbeatToParent);
  await app.init();
  const instances = app.get(InstanceRegistryService);
  await instances.register('worker', null, () => heartbeat.isHealthy);
  shutdown.add('instance', () => instances.unregister());
  // The child of `ROLE=all` is monitored by its parent, which may use this port and has already printed the version.
  if (process.send !== undefined) return;
  print(`The worker of Zonary is ready (version ${productVersion()}).`);
  if (config.workerPort === null) return;
  const health = new WorkerHealthServer(heartbeat);
  await health.listen(config.workerPort);
  shutdown.add('health', () => health.stop());
}

async function openDatabase(config: AppConfig, shutdown: ShutdownSequence): Promise<DatabaseConnection> {
  if (config.databaseUrl !== null) return connectionFromUrl(config.databaseUrl);
  const postgres = new EmbeddedPostgres({
    dataDir: config.dataDir,
    onUnexpectedExit: (error) => shutdown.fail(error.message),
    onNotice: print,
  });
  shutdown.add('database', () => postgres.stop());
  return postgres.start();
}

async function runWebServer(
  app: NestExpressApplication,
  config: AppConfig,
  connection: DatabaseConnection,
  shutdown: ShutdownSequence,
  maintenance: MaintenanceServer,
): Promise<void> {
  if (config.role === 'all') {
    const worker = new WorkerProcess(config, connection);
    shutdown.add('worker', () => worker.stop());
    worker.start();
  }
  const readiness = app.get(Readiness);
  shutdown.add('requests', () => {
    readiness.drain();
    return drainRequests(app, config.drainTime);
  });
  // Before the requests are drained, because they would wait for the streams, which have no natural end.
  shutdown.add('event streams', () => app.get(EventStreamsService).endAll());
  shutdown.add('readiness', async () => {
    readiness.isStopping = true;
    await setTimeout(config.shutdownDelay);
  });
  await app.get(WarmupTasks).run();
  // On the port of the maintenance server, even if it was chosen at random.
  await app.listen((await maintenance.close()) ?? config.port);
  readiness.markListening();
  const address = app.getHttpServer().address() as { port: number };
  const instances = app.get(InstanceRegistryService);
  await instances.register('web', address.port);
  shutdown.add('instance', () => instances.unregister());
  const url = config.appUrl.replace(/:0$/, `:${address.port}`);
  process.stdout.write(`\nZonary is ready: ${url} (version ${productVersion()})\n`);
  for (const message of await app.get(StartupMessages).collect()) print(message(url));
  const mailbox = app.get(MailboxKey).mailboxUrl(url);
  if (mailbox) process.stdout.write(`Emails that it sends are shown at ${mailbox}\n`);
  else if (config.smtpUrl === null) process.stdout.write(`${EMAILS_NOT_SENT}\n`);
  process.stdout.write('Press Ctrl-C to stop.\n\n');
}
