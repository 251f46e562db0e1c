import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM } from '@mikro-orm/postgresql';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { AppConfig } from '../../src/platform/config/app-config.js';
import type { DatabaseConnection } from '../../src/platform/database/pool/database-connection.js';
import { AppLogger } from '../../src/platform/http/observability/logging.js';
import { configureHttp } from '../../src/platform/http/configure-http.js';
import type { HttpTimeouts } from '../../src/platform/http/limits/timeouts.js';
import { SettingsTimings } from '../../src/platform/installation/installation-settings.service.js';
import { readStoredSettings } from '../../src/platform/installation/read-stored-settings.js';
import { HeartbeatTimings } from '../../src/platform/storage/ownership/storage-check.js';
import { JobRunner } from '../../src/platform/jobs/running/job-runner.js';
import { doTransactionsTwice } from './done-twice.js';
import { watchNeighbours } from './outside-transactions.js';
import { TestClock } from './test-clock.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

if (process.env.TEST_TRANSACTIONS === 'twice') doTransactionsTwice();

/** As late as a timer can be. */
const NEVER = 2 ** 31 - 1;

/** Where the application of each database keeps contents: those that work beside it share the place. */
const storages = new Map<string, string>();

/** The whole application in this process: real HTTP, a database of its own, mails in a mailbox of its own. */
export interface TestApp {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly config: AppConfig;
  readonly clock: TestClock;
  readonly connection: DatabaseConnection;
  /** A fresh entity manager. */
  em(): EntityManager;
  /** Does all due jobs, and what they enqueue. */
  drain(): Promise<void>;
  /** Said by a suite that makes transactions deadlock on purpose; any other fails at its end when one did. */
  provokesDeadlocks(): void;
  close(): Promise<void>;
}

/** The database of another application, which sees to its end. */
const notOurs = (connection: DatabaseConnection): TestDatabase => ({
  connection,
  provokesDeadlocks: () => undefined,
  drop: () => Promise.resolve(),
});

/**
 * Starts the application. The rate limits are off unless the suite turns them on.
 * @param env variables as `npm start` would read them
 * @param extend further modules of the test, such as routes that fail on purpose
 * @param patience with senders and readers, when the suite cannot wait as long as the product does
 * @param shared the database of another application, which this one works beside; otherwise one of its own
 * @param lookAtMark how often it looks by itself whether the mark of the storage wants a word, in milliseconds
 */
export async function createTestApp(
  env: Record<string, string> = {},
  extend: unknown[] = [],
  shared?: DatabaseConnection,
  patience?: HttpTimeouts,
  // What a suite counts or reads must not change by itself.
  lookAtMark = NEVER,
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonary-app-'));
  const database = shared ? notOurs(shared) : await createTestDatabase();
  const clear = async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const beside = shared && !env.DATA_DIR ? storages.get(shared.database) : undefined;
  const parts = { beside, dataDir, env, extend, database, patience, lookAtMark };
  const { app, config, clock } = await assemble(parts).catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  if (!shared) storages.set(database.connection.database, config.storageUrl);
  const inTransactions = watchNeighbours(app);
  const close = async () => {
    app.getHttpServer().closeAllConnections();
    await app.close();
    await clear();
    if (inTransactions().length > 0) throw new Error(inTransactions().join('\n'));
  };
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    config,
    clock,
    connection: database.connection,
    provokesDeadlocks: () => database.provokesDeadlocks(),
    em: () => app.get(MikroORM).em.fork() as EntityManager,
    drain: async () => void (await app.get(JobRunner).drain()),
    close,
  };
}

interface Parts {
  readonly beside: string | undefined;
  readonly dataDir: string;
  readonly env: Record<string, string>;
  readonly extend: unknown[];
  readonly database: TestDatabase;
  readonly patience: HttpTimeouts | undefined;
  readonly lookAtMark: number;
}

/** The application, which does not listen yet. */
async function assemble({ beside, dataDir, env, extend, database, patience, lookAtMark }: Parts) {
  const config = AppConfig.from({
    ...(beside ? { STORAGE_URL: beside } : {}),
    PORT: '0',
    DATA_DIR: dataDir,
    APP_SECRET: 'a secret for tests that is long enough',
    RATE_LIMIT: 'off',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ROLE: 'web',
    ...env,
  });
  config.applyInitialSettings(await readStoredSettings(database.connection));
  const clock = new TestClock();
  const imports = [AppModule.with(config, database.connection), ...(extend as never[])];
  const module = await Test.createTestingModule({ imports })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(HeartbeatTimings)
    .useValue({ checkInterval: lookAtMark } satisfies HeartbeatTimings)
    .overrideProvider(SettingsTimings)
    .useValue({ pollInterval: NEVER } satisfies SettingsTimings)
    .compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, bufferLogs: true });
  app.useLogger(app.get(AppLogger));
  configureHttp(app, patience);
  return { app, config, clock };
}
