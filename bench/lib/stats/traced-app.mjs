import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../product.mjs';

const BUILD_DIR = `${root}dist/compiled/src/`;
const load = (path) => import(BUILD_DIR + path);
const MODULES_URL = `file://${BUILD_DIR}modules/`;

/** The built application in this process, with HTTP and a profiler that records executed functions. */
export class TracedApp {
  #cleanups = [];
  #session = new Session();

  static async open() {
    const tracedApp = new TracedApp();
    const dataDir = mkdtempSync(join(tmpdir(), 'zonary-trace-'));
    tracedApp.#cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
    // If this process is root, PostgreSQL runs as another OS user, who must be able to enter the folder.
    await chmod(dataDir, 0o711);
    await tracedApp.#start(dataDir);
    return tracedApp;
  }

  async #start(dataDir) {
    const { EmbeddedPostgres } = await load('platform/database/embedded/embedded-postgres.js');
    const postgres = new EmbeddedPostgres({ dataDir, database: 'zonary' });
    const connection = await postgres.start();
    this.#cleanups.unshift(() => postgres.stop());
    const { migrate } = await load('platform/database/schema/migrate.js');
    await migrate(connection);
    const { AppConfig } = await load('platform/config/app-config.js');
    const config = AppConfig.from({
      DATA_DIR: dataDir,
      PORT: '0',
      ROLE: 'web',
      LOG_LEVEL: 'error',
      RATE_LIMIT: 'off',
      MAIL_FROM: 'Zonary <news@trace.example>',
      COMPANY_ADDRESS: 'Trace Street 1, 34000 Istanbul',
    });
    const { createApp } = await load('create-app.js');
    this.nestApp = await createApp(config, connection);
    await this.nestApp.listen(0, '127.0.0.1');
    this.#cleanups.unshift(() => this.nestApp.close());
    this.url = `http://127.0.0.1:${this.nestApp.getHttpServer().address().port}`;
  }

  /** Returns a service by class name from a built file. */
  async getService(path, name) {
    return this.nestApp.get((await load(path))[name]);
  }

  /** Runs SQL and returns the rows. */
  async query(text, values = []) {
    const { MikroORM } = await import('@mikro-orm/postgresql');
    return this.nestApp.get(MikroORM).em.fork().execute(text, values);
  }

  /** Runs all due jobs. */
  async runDueJobs() {
    const runner = await this.getService('platform/jobs/running/job-runner.js', 'JobRunner');
    await runner.drain();
  }

  /**
   * Records which module files execute functions during `action`.
   * @returns their paths below `modules/`
   */
  async traceModuleFiles(action) {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    try {
      await action();
      const { result } = await this.#session.post('Profiler.takePreciseCoverage');
      return result.filter(wasExecuted).map(({ url }) => url.slice(MODULES_URL.length).replace(/\.js$/, ''));
    } finally {
      this.#session.disconnect();
    }
  }

  async close() {
    for (const cleanUp of this.#cleanups) await cleanUp();
  }
}

/** Ignores the unnamed function of the module itself, which runs when it is loaded. */
const wasExecuted = ({ url, functions }) =>
  url.startsWith(MODULES_URL) &&
  functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0));
