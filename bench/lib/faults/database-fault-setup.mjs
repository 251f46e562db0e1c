import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from './fault-environment.mjs';
import { LinkProxy } from '../database-proxy.mjs';
import { mailsTo, register, root } from '../product.mjs';

/** A product whose database connection can be disrupted, and an owner with a zone. */
export class FaultLink {
  #names = 0;

  static async open(room) {
    const { EmbeddedPostgres } = await import(
      `${root}dist/backend/src/platform/database/embedded/embedded-postgres.js`
    );
    const { connectionToUrl } = await import(`${root}dist/backend/src/platform/database/pool/database-connection.js`);
    const made = new FaultLink();
    const folder = room.folder();
    // As root, PostgreSQL runs under another account, which needs to traverse the folder.
    chmodSync(folder, 0o711);
    const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'postgres'), database: 'zonary' });
    const connection = await postgres.start();
    room.onClose(() => postgres.stop());
    /** Bypasses the proxy. */
    made.connection = connection;
    made.proxy = new LinkProxy(connection);
    const url = connectionToUrl(await made.proxy.listen());
    room.onClose(() => made.proxy.close());
    const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: url, APP_SECRET: randomBytes(32).toString('hex') };
    made.product = await room.product(env);
    made.owner = await register(made.product.url, 'fault_owner');
    made.zone = await (await made.owner.call('POST', '/api/zones', { name: 'Name 0', type: 'private' })).json();
    return made;
  }

  /**
   * Creates folders one after another until stopped.
   * @returns the acknowledged names
   */
  async writeUntil(done) {
    const answered = [];
    let over = false;
    void done.then(() => (over = true));
    while (!over) {
      const name = `Folder ${++this.#names}`;
      if (await this.#makeFolder(name)) answered.push(name);
      await new Promise((resume) => setTimeout(resume, 20));
    }
    return answered;
  }

  #makeFolder = (name) =>
    this.owner.call('POST', `/api/zones/${this.zone.id}/folders`, { name }).then(
      () => true,
      () => false,
    );

  /** Seconds until writes succeed and a requested email has arrived; null if not within two minutes. */
  async back(email) {
    return secondsUntil(async () => {
      if (!(await this.#makeFolder(`Folder ${++this.#names}`))) return false;
      await this.owner.call('POST', '/api/send-verification', { email }).catch(() => undefined);
      return (await secondsUntil(async () => (await mailsTo(this.product.url, email)).length > 0, 120)) !== null;
    }, 120);
  }

  /** The names of all folders in the zone. */
  async folders() {
    const names = [];
    for (let cursor = ''; cursor !== null;) {
      const answer = await this.owner.call('GET', `/api/zones/${this.zone.id}/folders?limit=1000${cursor}`);
      names.push(...(await answer.json()).map(({ name }) => name));
      const next = /cursor=([^&>]+)/.exec(answer.headers.get('link') ?? '');
      cursor = next ? `&cursor=${next[1]}` : null;
    }
    return names;
  }

  /**
   * Makes the connection silent for some milliseconds during writes, then fails over.
   * @returns the result for the table
   */
  async fall(silence, email) {
    const end = Promise.withResolvers();
    const writing = this.writeUntil(end.promise);
    await new Promise((resume) => setTimeout(resume, 500));
    this.proxy.fallSilent();
    await new Promise((resume) => setTimeout(resume, silence));
    this.proxy.failOver();
    const seconds = await this.back(email);
    end.resolve();
    const answered = await writing;
    const kept = new Set(await this.folders());
    const lost = answered.filter((name) => !kept.has(name)).length;
    const doubled = (await mailsTo(this.product.url, email)).length > 1 ? 1 : 0;
    return { lost, doubled, stuck: seconds === null ? 1 : 0, seconds: seconds ?? 120 };
  }
}

/** Adds the result of one repetition to a fault's result. */
export function addUp(result, one) {
  for (const key of ['lost', 'doubled', 'stuck']) result[key] += one[key];
  result.seconds = Math.max(result.seconds, one.seconds);
}
