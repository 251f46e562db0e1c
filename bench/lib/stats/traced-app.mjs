import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../product.mjs';

const build = `${root}dist/backend/src/`;
const load = (path) => import(build + path);
const modules = `file://${build}modules/`;

/** The built application in this process, with HTTP and a profiler of executed functions. */
export class Walk {
  #endings = [];
  #session = new Session();

  static async open() {
    const walk = new Walk();
    const folder = mkdtempSync(join(tmpdir(), 'zonary-walk-'));
    walk.#endings.push(() => rmSync(folder, { recursive: true, force: true }));
    // As root, PostgreSQL runs under another account, which needs to traverse the folder.
    await chmod(folder, 0o711);
    await walk.#start(folder);
    return walk;
  }

  async #start(folder) {
    const { EmbeddedPostgres } = await load('platform/database/embedded/embedded-postgres.js');
    const postgres = new EmbeddedPostgres({ dataDir: folder, database: 'zonary' });
    const connection = await postgres.start();
    this.#endings.unshift(() => postgres.stop());
    const { migrate } = await load('platform/database/schema/migrate.js');
    await migrate(connection);
    const { AppConfig } = await load('platform/config/app-config.js');
    const config = AppConfig.from({
      ...{ DATA_DIR: folder, PORT: '0', ROLE: 'web', LOG_LEVEL: 'error', RATE_LIMIT: 'off' },
      ...{ MAIL_FROM: 'Zonary <news@walk.example>', COMPANY_ADDRESS: 'Walk Street 1, 34000 Istanbul' },
    });
    const { createApp } = await load('create-app.js');
    this.app = await createApp(config, connection);
    await this.app.listen(0, '127.0.0.1');
    this.#endings.unshift(() => this.app.close());
    this.url = `http://127.0.0.1:${this.app.getHttpServer().address().port}`;
  }

  /** Returns a service by class name from a built file. */
  async service(path, name) {
    return this.app.get((await load(path))[name]);
  }

  /** Runs SQL and returns the rows. */
  async sql(text, values = []) {
    const { MikroORM } = await import('@mikro-orm/postgresql');
    return this.app.get(MikroORM).em.fork().execute(text, values);
  }

  /** Runs all due jobs. */
  async drain() {
    const runner = await this.service('platform/jobs/running/job-runner.js', 'JobRunner');
    await runner.drain();
  }

  /**
   * Records which module files execute functions during `work`.
   * @returns their paths below `modules/`
   */
  async files(work) {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    try {
      await work();
      const { result } = await this.#session.post('Profiler.takePreciseCoverage');
      return result.filter(hasRun).map(({ url }) => url.slice(modules.length).replace(/\.js$/, ''));
    } finally {
      this.#session.disconnect();
    }
  }

  async close() {
    for (const end of this.#endings) await end();
  }
}

/** The module itself is an unnamed function that runs when it is loaded. */
const hasRun = ({ url, functions }) =>
  url.startsWith(modules) &&
  functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0));
