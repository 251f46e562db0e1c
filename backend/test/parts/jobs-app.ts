import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import { AuditModule } from '../../src/platform/audit/audit.module.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { ClockModule } from '../../src/platform/clock/clock.module.js';
import { AppConfig } from '../../src/platform/config/app-config.js';
import { ConfigModule } from '../../src/platform/config/config.module.js';
import { DatabaseModule } from '../../src/platform/database/database.module.js';
import { configureHttp } from '../../src/platform/http/configure-http.js';
import { HttpModule } from '../../src/platform/http/http.module.js';
import { JobTimings } from '../../src/platform/jobs/running/job-timings.js';
import { JobsModule } from '../../src/platform/jobs/jobs.module.js';
import { EmailModule } from '../../src/platform/email/email.module.js';
import { TestClock } from '../support/test-clock.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

export interface JobsAppOptions {
  readonly role?: 'web' | 'worker';
  readonly providers?: Provider[];
  readonly timings?: Partial<JobTimings>;
  readonly env?: NodeJS.ProcessEnv;
  /** Replaces a provider of the platform. */
  readonly override?: { readonly provide: unknown; readonly useClass: unknown };
}

/** The platform without any feature, on its own database; several applications may share it. */
export class JobsPlatform {
  readonly clock = new TestClock();
  readonly dataDir = mkdtempSync(join(tmpdir(), 'zonary-jobs-'));
  readonly db: pg.Pool;
  private readonly apps = new Set<NestExpressApplication>();

  private constructor(private readonly database: TestDatabase) {
    this.db = new pg.Pool({ ...(database.connection as pg.PoolConfig), max: 3 });
    // Idle connections emit an error when their database is dropped.
    this.db.on('error', () => undefined);
  }

  get connection(): TestDatabase['connection'] {
    return this.database.connection;
  }

  static async open(): Promise<JobsPlatform> {
    return new JobsPlatform(await createTestDatabase());
  }

  /** Creates an application without starting it. */
  async createApp({ role = 'web', providers = [], timings = {}, env = {}, override }: JobsAppOptions) {
    const config = AppConfig.from({
      ROLE: role,
      DATABASE_URL: 'postgresql://unused/unused',
      DATA_DIR: this.dataDir,
      LOG_LEVEL: 'silent',
      APP_SECRET: 'a secret of these tests that is long enough',
      APP_URL: 'http://zonary.test',
      ...env,
    });
    const imports = [ConfigModule.with(config), ClockModule, HttpModule, DatabaseModule.with(this.database.connection)];
    const builder = Test.createTestingModule({
      imports: [...imports, JobsModule.with(config), EmailModule, AuditModule],
      providers,
    });
    if (override) builder.overrideProvider(override.provide).useClass(override.useClass);
    const module = await builder
      .overrideProvider(Clock)
      .useValue(this.clock)
      .overrideProvider(JobTimings)
      .useValue(Object.assign(new JobTimings(), timings))
      .compile();
    const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app);
    this.apps.add(app);
    return app;
  }

  async start(options: JobsAppOptions = {}): Promise<NestExpressApplication> {
    const app = await this.createApp(options);
    await app.init();
    return app;
  }

  async stop(app: NestExpressApplication): Promise<void> {
    this.apps.delete(app);
    await app.close();
  }

  /** Stops all applications and deletes all jobs. */
  async reset(): Promise<void> {
    await Promise.all([...this.apps].map((app) => this.stop(app)));
    await this.db.query('TRUNCATE jobs, clock_runs');
  }

  async query<T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await this.db.query(sql, values)).rows as T[];
  }

  async count(table: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
    return row!.count;
  }

  async close(): Promise<void> {
    await Promise.all([...this.apps].map((app) => app.close()));
    await this.db.end();
    await this.database.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
