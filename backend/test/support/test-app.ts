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
import type { DatabaseConnection } from '../../src/platform/database/connection.js';
import { AppLogger } from '../../src/platform/http/logging.js';
import { configureHttp } from '../../src/platform/http/bootstrap.js';
import { JobRunner } from '../../src/platform/jobs/job-runner.js';
import { TestClock } from './test-clock.js';
import { createTestDatabase } from './test-database.js';

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
  close(): Promise<void>;
}

/**
 * Starts the application. The rate limits are off unless the suite turns them on.
 * @param env variables as `npm start` would read them
 * @param extend further modules of the test, such as routes that fail on purpose
 * @param shared the database of another application, which this one works beside; otherwise one of its own
 */
export async function createTestApp(
  env: Record<string, string> = {},
  extend: unknown[] = [],
  shared?: DatabaseConnection,
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonary-app-'));
  const database = shared ? { connection: shared, drop: () => Promise.resolve() } : await createTestDatabase();
  const config = AppConfig.from({
    PORT: '0',
    DATA_DIR: dataDir,
    APP_SECRET: 'a secret for tests that is long enough',
    RATE_LIMIT: 'off',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ROLE: 'web',
    ...env,
  });
  const clock = new TestClock();
  const imports = [AppModule.with(config, database.connection), ...(extend as never[])];
  const module = await Test.createTestingModule({ imports }).overrideProvider(Clock).useValue(clock).compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, bufferLogs: true });
  app.useLogger(app.get(AppLogger));
  configureHttp(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    config,
    clock,
    connection: database.connection,
    em: () => app.get(MikroORM).em.fork() as EntityManager,
    drain: async () => void (await app.get(JobRunner).drain()),
    close: async () => {
      app.getHttpServer().closeAllConnections();
      await app.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
