import pg from 'pg';
import { DatabaseFaultSetup } from '../lib/faults/database-fault-setup.mjs';
import { fetchEmails } from '../lib/product.mjs';

const RUNS = 3;
/** How long the database is read-only, in milliseconds. */
const READ_ONLY_MS = 3000;
const CONCURRENCY = 4;

/** Clients that create folders repeatedly, and the responses. */
class FolderWriters {
  acknowledged = [];
  unexpected = 0;
  #isOver = false;
  #writes;

  constructor(setup, prefix) {
    this.#writes = Array.from({ length: CONCURRENCY }, (_, index) => this.#writeFolders(setup, `${prefix} ${index}`));
  }

  async end() {
    this.#isOver = true;
    await Promise.all(this.#writes);
  }

  async #writeFolders({ product, owner, zone }, prefix) {
    for (let number = 0; !this.#isOver; number++) {
      const name = `${prefix} ${number}`;
      const { status } = await fetch(`${product.url}/api/zones/${zone.id}/folders`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: owner.cookie },
        body: JSON.stringify({ name }),
      });
      if (status === 201) this.acknowledged.push(name);
      else if (status !== 503) this.unexpected++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/**
 * All sessions are terminated, and new ones are read-only for a while, as after a failover to a server that isn't the
 * primary yet. Any response other than the folder or a 503 counts as stuck.
 */
export default {
  name: 'the database is read-only for 3 seconds',
  previousBehaviour: 'writes failed until a restart',
  async run(environment) {
    const setup = await DatabaseFaultSetup.open(environment);
    const db = new pg.Client({ ...setup.connection, database: 'postgres' });
    await db.connect();
    environment.onClose(() => db.end());
    const alterAndTerminateSessions = async (change) => {
      await db.query(`alter database zonary ${change}`);
      await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'zonary'`);
    };
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      const writers = new FolderWriters(setup, `Written ${round}`);
      await alterAndTerminateSessions('set default_transaction_read_only = on');
      await new Promise((resolve) => setTimeout(resolve, READ_ONLY_MS));
      // Existing sessions stay read-only, and the product must discard them.
      await db.query('alter database zonary reset default_transaction_read_only');
      const email = `read.only.${round}@example.com`;
      const seconds = await setup.secondsUntilRecovery(email);
      await writers.end();
      const stored = await setup.listFolders();
      result.lost += writers.acknowledged.filter((name) => !stored.includes(name)).length;
      result.duplicated +=
        stored.length - new Set(stored).size + ((await fetchEmails(setup.product.url, email)).length > 1 ? 1 : 0);
      result.stuck += writers.unexpected + (seconds === null ? 1 : 0);
      result.seconds = Math.max(result.seconds, seconds ?? 120);
    }
    return result;
  },
};
