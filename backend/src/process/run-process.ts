import { setTimeout } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../create-app.js';
import type { AppConfig } from '../platform/config/app-config.js';
import { productVersion } from '../platform/config/version.js';
import { connectionFromUrl, type DatabaseConnection } from '../platform/database/pool/connection.js';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import { awaitSchema } from '../platform/database/schema/await-schema.js';
import { migrate } from '../platform/database/schema/migrate.js';
import { EventStreams } from '../platform/http/event-streams/event-streams.service.js';
import { MailboxKey } from '../platform/mail/mailbox/mailbox-key.js';
import { Announcements } from '../platform/health/announcements.js';
import { Preparations } from '../platform/health/preparations.js';
import { Readiness } from '../platform/health/readiness.js';
import { WorkerPulse } from '../platform/jobs/running/worker-pulse.js';
import { InstanceRegistry } from '../platform/health/instances/instance-registry.service.js';
import { readSettings } from '../platform/installation/read-settings.js';
import { refuseWrongStart } from '../platform/installation/refuse-wrong-start.js';
import { drainRequests } from './drain-requests.js';
import { ShutdownSequence } from './shutdown-sequence.js';
import { WorkerHealth } from './worker-health.js';
import { WaitingServer } from './waiting-server.js';
import { tellParent, WorkerProcess } from './worker-process.js';

/** Said where neither a server takes mails nor the mailbox may be shown, because the address is a public one. */
const UNSENT =
  "Emails aren't sent because SMTP_URL is not set. They are kept in DATA_DIR/mailbox. " +
  'You can also set an email server under Super Admin → Installation.';

/**
 * Runs this process in its role until it is told to stop.
 * `all` serves, keeps the embedded database and has one worker as a child, so that jobs do not slow down answers.
 */
export async function runProcess(config: AppConfig): Promise<void> {
  const shutdown = new ShutdownSequence(config.role === 'worker' ? 0 : config.shutdownDelay + config.drainTime);
  shutdown.listen(config.role);
  try {
    const connection = await database(config, shutdown);
    const waiting = new WaitingServer(config);
    shutdown.add('waiting', () => waiting.close());
    await prepareSchema(config, connection, waiting);
    if (shutdown.requested) return;
    // Before anything is made of the configuration.
    config.begin(await readSettings(connection));
    const app = await createApp(config, connection);
    shutdown.add('application', () => app.close());
    if (config.role === 'worker') await work(app, config, shutdown);
    else await serve(app, config, connection, shutdown, waiting);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** Migrates, or waits for who does: a worker silently, whoever serves with an answer that says so. */
async function prepareSchema(config: AppConfig, connection: DatabaseConnection, waiting: WaitingServer): Promise<void> {
  if (config.role === 'worker') return awaitSchema(connection, { onWait: say });
  // A newer version with another secret would leave a schema that the version in use does not know.
  await refuseWrongStart(config, connection);
  await migrate(connection, {
    onWait: async () => {
      await waiting.listen();
      say(
        `Another process is migrating the database. Until it's done, requests on port ${waiting.port} are answered with 503.`,
      );
    },
  });
}

async function work(app: NestExpressApplication, config: AppConfig, shutdown: ShutdownSequence): Promise<void> {
  const pulse = app.get(WorkerPulse);
  pulse.onBeat(tellParent);
  await app.init();
  const instances = app.get(InstanceRegistry);
  await instances.join('worker', null, () => pulse.isAlive);
  shutdown.add('instance', () => instances.leave());
  // The child of `ROLE=all` is watched by its parent, whose port this may be, and which has printed the version.
  if (process.send !== undefined) return;
  say(`The worker of Zonary is ready (version ${productVersion()}).`);
  if (config.workerPort === null) return;
  const health = new WorkerHealth(pulse);
  await health.listen(config.workerPort);
  shutdown.add('health', () => health.stop());
}

async function database(config: AppConfig, shutdown: ShutdownSequence): Promise<DatabaseConnection> {
  if (config.databaseUrl !== null) return connectionFromUrl(config.databaseUrl);
  const postgres = new EmbeddedPostgres({
    dataDir: config.dataDir,
    onUnexpectedExit: (error) => shutdown.fail(error.message),
    onNotice: say,
  });
  shutdown.add('database', () => postgres.stop());
  return postgres.start();
}

async function serve(
  app: NestExpressApplication,
  config: AppConfig,
  connection: DatabaseConnection,
  shutdown: ShutdownSequence,
  waiting: WaitingServer,
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
  // Before the requests, which would wait for them: nobody knows when somebody has read enough.
  shutdown.add('event streams', () => app.get(EventStreams).stop());
  shutdown.add('readiness', async () => {
    readiness.stopping = true;
    await setTimeout(config.shutdownDelay);
  });
  await app.get(Preparations).run();
  // Where the waiting was, also if the port was any.
  await app.listen((await waiting.close()) ?? config.port);
  readiness.begin();
  const address = app.getHttpServer().address() as { port: number };
  const instances = app.get(InstanceRegistry);
  await instances.join('web', address.port);
  shutdown.add('instance', () => instances.leave());
  const url = config.appUrl.replace(/:0$/, `:${address.port}`);
  process.stdout.write(`\nZonary is ready: ${url} (version ${productVersion()})\n`);
  for (const announce of await app.get(Announcements).collect()) say(announce(url));
  const mailbox = app.get(MailboxKey).addressAt(url);
  if (mailbox) process.stdout.write(`Emails that it sends are shown at ${mailbox}\n`);
  else if (config.smtpUrl === null) process.stdout.write(`${UNSENT}\n`);
  process.stdout.write('Press Ctrl-C to stop.\n\n');
}
