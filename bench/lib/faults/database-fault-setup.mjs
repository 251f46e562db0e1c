import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from './fault-environment.mjs';
import { DatabaseProxy } from '../database-proxy.mjs';
import { fetchEmails, registerUser, root } from '../product.mjs';

/** A product whose database connections can be frozen, and an owner with a zone. */
export class DatabaseFaultSetup {
  #folderCount = 0;

  static async open(environment) {
    const { EmbeddedPostgres } = await import(
      `${root}dist/compiled/src/platform/database/embedded/embedded-postgres.js`
    );
    const { connectionToUrl } = await import(`${root}dist/compiled/src/platform/database/pool/database-connection.js`);
    const setup = new DatabaseFaultSetup();
    const folder = environment.createFolder();
    // As root, PostgreSQL runs under another account, which needs to traverse the folder.
    chmodSync(folder, 0o711);
    const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'postgres'), database: 'zonary' });
    const connection = await postgres.start();
    environment.onClose(() => postgres.stop());
    /** The connection that bypasses the proxy. */
    setup.connection = connection;
    setup.proxy = new DatabaseProxy(connection);
    const url = connectionToUrl(await setup.proxy.listen());
    environment.onClose(() => setup.proxy.close());
    const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: url, APP_SECRET: randomBytes(32).toString('hex') };
    setup.product = await environment.startProduct(env);
    setup.owner = await registerUser(setup.product.url, 'fault_owner');
    setup.zone = await (await setup.owner.call('POST', '/api/zones', { name: 'Name 0', type: 'private' })).json();
    return setup;
  }

  /**
   * Creates folders one after another until a promise resolves.
   * @returns the acknowledged names
   */
  async createFoldersUntil(end) {
    const acknowledged = [];
    let isOver = false;
    void end.then(() => (isOver = true));
    while (!isOver) {
      const name = `Folder ${++this.#folderCount}`;
      if (await this.#createFolder(name)) acknowledged.push(name);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return acknowledged;
  }

  #createFolder = (name) =>
    this.owner.call('POST', `/api/zones/${this.zone.id}/folders`, { name }).then(
      () => true,
      () => false,
    );

  /** Returns the seconds until writes succeed and a requested email has arrived; null if not within two minutes. */
  async secondsUntilRecovery(email) {
    return secondsUntil(async () => {
      if (!(await this.#createFolder(`Folder ${++this.#folderCount}`))) return false;
      await this.owner.call('POST', '/api/send-verification', { email }).catch(() => undefined);
      return (await secondsUntil(async () => (await fetchEmails(this.product.url, email)).length > 0, 120)) !== null;
    }, 120);
  }

  /** Returns the names of all folders in the zone. */
  async listFolders() {
    const names = [];
    for (let cursor = ''; cursor !== null;) {
      const response = await this.owner.call('GET', `/api/zones/${this.zone.id}/folders?limit=1000${cursor}`);
      names.push(...(await response.json()).map(({ name }) => name));
      const next = /cursor=([^&>]+)/.exec(response.headers.get('link') ?? '');
      cursor = next ? `&cursor=${next[1]}` : null;
    }
    return names;
  }

  /**
   * Freezes the connections for some milliseconds during writes, then restores new connections.
   * @returns the result for the table
   */
  async freezeAndFailOver(frozenMs, email) {
    const end = Promise.withResolvers();
    const writes = this.createFoldersUntil(end.promise);
    await new Promise((resolve) => setTimeout(resolve, 500));
    this.proxy.freeze();
    await new Promise((resolve) => setTimeout(resolve, frozenMs));
    this.proxy.restore();
    const seconds = await this.secondsUntilRecovery(email);
    end.resolve();
    const acknowledged = await writes;
    const stored = new Set(await this.listFolders());
    const lost = acknowledged.filter((name) => !stored.has(name)).length;
    const duplicated = (await fetchEmails(this.product.url, email)).length > 1 ? 1 : 0;
    return { lost, duplicated, stuck: seconds === null ? 1 : 0, seconds: seconds ?? 120 };
  }
}

/** Adds the result of one repetition to a fault's result. */
export function addResult(result, repetition) {
  for (const key of ['lost', 'duplicated', 'stuck']) result[key] += repetition[key];
  result.seconds = Math.max(result.seconds, repetition.seconds);
}
