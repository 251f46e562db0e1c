import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from './fault-room.mjs';
import { LinkProxy } from '../link-proxy.mjs';
import { mailsTo, register, root } from '../product.mjs';

/** A product that reaches its database by a link that can go bad, and an owner with a zone. */
export class FaultLink {
  #names = 0;

  static async open(room) {
    const { EmbeddedPostgres } = await import(
      `${root}dist/backend/src/platform/database/embedded/embedded-postgres.js`
    );
    const { connectionToUrl } = await import(`${root}dist/backend/src/platform/database/pool/database-connection.js`);
    const made = new FaultLink();
    const folder = room.folder();
    // Started as root, PostgreSQL runs under another account, which must be able to pass through.
    chmodSync(folder, 0o711);
    const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'postgres'), database: 'zonary' });
    const connection = await postgres.start();
    room.onClose(() => postgres.stop());
    /** Past the link. */
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

  /** Makes folders, one after another, until it is broken off. @returns the names that were answered */
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

  /** Seconds until writes are answered and a mail that is asked for has come; null when they do not within two minutes. */
  async back(email) {
    return secondsUntil(async () => {
      if (!(await this.#makeFolder(`Folder ${++this.#names}`))) return false;
      await this.owner.call('POST', '/api/send-verification', { email }).catch(() => undefined);
      return (await secondsUntil(async () => (await mailsTo(this.product.url, email)).length > 0, 120)) !== null;
    }, 120);
  }

  /** The names of all folders that the zone has. */
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

  /** Silence of some milliseconds while somebody writes, and the way back. @returns what it did, for the table */
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

/** Adds what came of one time to the line of a fault. */
export function addUp(result, one) {
  for (const key of ['lost', 'doubled', 'stuck']) result[key] += one[key];
  result.seconds = Math.max(result.seconds, one.seconds);
}
