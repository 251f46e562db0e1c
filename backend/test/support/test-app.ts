import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM } from '@mikro-orm/postgresql';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module.js';
import { PasswordHashCost } from '../../src/modules/auth/passwords/password-hash.service.js';
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
import { repeatTransactions } from './repeat-transactions.js';
import { forbidExternalCallsInTransactions } from './forbid-external-calls.js';
import { TestClock } from './test-clock.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

if (process.env.TEST_TRANSACTIONS === 'twice') repeatTransactions();

/** Largest delay of a timer, in milliseconds. */
const MAX_TIMER_DELAY = 2 ** 31 - 1;

/** argon2's minimum: suites hash and verify thousands of passwords, each of which would take 14 ms. */
const LOWEST_HASH_COST: PasswordHashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Storage URL of each database's application, shared by applications on the same database. */
const storageUrls = new Map<string, string>();

/** The whole application in this process: real HTTP, its own database and its own mailbox. */
export interface TestApp {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly config: AppConfig;
  readonly clock: TestClock;
  readonly connection: DatabaseConnection;
  /** A new entity manager. */
  em(): EntityManager;
  /** Runs all due jobs and the jobs they enqueue. */
  drain(): Promise<void>;
  /** For suites that provoke deadlocks; any other suite fails at its end if one occurred. */
  allowDeadlocks(): void;
  close(): Promise<void>;
}

/** A database of another application, which also drops it. */
const toBorrowedDatabase = (connection: DatabaseConnection): TestDatabase => ({
  connection,
  allowDeadlocks: () => undefined,
  drop: () => Promise.resolve(),
});

/**
 * Starts the application, with rate limits off unless the suite enables them.
 * @param env environment variables, as `npm start` would read them
 * @param extraModules additional modules of the test, such as routes that fail
 * @param timeouts for senders and receivers, if the suite can't wait as long as the product
 * @param sharedConnection database of another application to share; by default its own
 * @param markCheckInterval how often the storage's ownership mark is checked, in milliseconds
 */
export async function createTestApp(
  env: Record<string, string> = {},
  extraModules: unknown[] = [],
  sharedConnection?: DatabaseConnection,
  timeouts?: HttpTimeouts,
  // Background checks would change what suites count or read.
  markCheckInterval = MAX_TIMER_DELAY,
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonary-app-'));
  const database = sharedConnection ? toBorrowedDatabase(sharedConnection) : await createTestDatabase();
  const cleanUp = async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const storageUrl = sharedConnection && !env.DATA_DIR ? storageUrls.get(sharedConnection.database) : undefined;
  const options = { storageUrl, dataDir, env, extraModules, database, timeouts, markCheckInterval };
  const { app, config, clock } = await createApp(options).catch(async (error: unknown) => {
    await cleanUp();
    throw error;
  });
  if (!sharedConnection) storageUrls.set(database.connection.database, config.storageUrl);
  const getViolations = forbidExternalCallsInTransactions(app);
  const close = async () => {
    app.getHttpServer().closeAllConnections();
    await app.close();
    await cleanUp();
    if (getViolations().length > 0) throw new Error(getViolations().join('\n'));
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
    allowDeadlocks: () => database.allowDeadlocks(),
    em: () => app.get(MikroORM).em.fork() as EntityManager,
    drain: async () => void (await app.get(JobRunner).drain()),
    close,
  };
}

interface AssembleOptions {
  readonly storageUrl: string | undefined;
  readonly dataDir: string;
  readonly env: Record<string, string>;
  readonly extraModules: unknown[];
  readonly database: TestDatabase;
  readonly timeouts: HttpTimeouts | undefined;
  readonly markCheckInterval: number;
}

/** Creates the application without listening. */
async function createApp({
  storageUrl,
  dataDir,
  env,
  extraModules,
  database,
  timeouts,
  markCheckInterval,
}: AssembleOptions) {
  const config = AppConfig.from({
    ...(storageUrl ? { STORAGE_URL: storageUrl } : {}),
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
  const imports = [AppModule.with(config, database.connection), ...(extraModules as never[])];
  const module = await Test.createTestingModule({ imports })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(PasswordHashCost)
    .useValue({ ...LOWEST_HASH_COST } satisfies PasswordHashCost)
    .overrideProvider(HeartbeatTimings)
    .useValue({ checkInterval: markCheckInterval, moveInterval: markCheckInterval } satisfies HeartbeatTimings)
    .overrideProvider(SettingsTimings)
    .useValue({ pollInterval: MAX_TIMER_DELAY } satisfies SettingsTimings)
    .compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, bufferLogs: true });
  app.useLogger(app.get(AppLogger));
  configureHttp(app, timeouts);
  return { app, config, clock };
}
