import pg from 'pg';
import { FaultLink } from '../lib/faults/database-fault-setup.mjs';
import { mailsTo } from '../lib/product.mjs';

const TIMES = 3;
/** How long the database is read-only, in milliseconds. */
const SPAN = 3000;
const AT_ONCE = 4;

/** Clients that create folders without a pause, and the responses. */
class Writers {
  answered = [];
  wrong = 0;
  #over = false;
  #all;

  constructor(link, prefix) {
    this.#all = Array.from({ length: AT_ONCE }, (_, at) => this.#write(link, `${prefix} ${at}`));
  }

  async end() {
    this.#over = true;
    await Promise.all(this.#all);
  }

  async #write({ product, owner, zone }, prefix) {
    for (let n = 0; !this.#over; n++) {
      const name = `${prefix} ${n}`;
      const { status } = await fetch(`${product.url}/api/zones/${zone.id}/folders`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: owner.cookie },
        body: JSON.stringify({ name }),
      });
      if (status === 201) this.answered.push(name);
      else if (status !== 503) this.wrong++;
      await new Promise((resume) => setTimeout(resume, 20));
    }
  }
}

/**
 * All sessions are terminated, and new ones are read-only for a while, as after a failover to a server that isn't the
 * primary yet. Any response other than the folder or a 503 counts as stuck.
 */
export default {
  name: 'the database can only be read for 3 seconds',
  before: 'writes failed on until a restart',
  async run(room) {
    const link = await FaultLink.open(room);
    const db = new pg.Client({ ...link.connection, database: 'postgres' });
    await db.connect();
    room.onClose(() => db.end());
    const turn = async (how) => {
      await db.query(`alter database zonary ${how}`);
      await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'zonary'`);
    };
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      const writers = new Writers(link, `Written ${at}`);
      await turn('set default_transaction_read_only = on');
      await new Promise((resume) => setTimeout(resume, SPAN));
      // Existing sessions stay read-only: the product must discard them by itself.
      await db.query('alter database zonary reset default_transaction_read_only');
      const email = `read.only.${at}@example.com`;
      const seconds = await link.back(email);
      await writers.end();
      const kept = await link.folders();
      result.lost += writers.answered.filter((name) => !kept.includes(name)).length;
      result.doubled +=
        kept.length - new Set(kept).size + ((await mailsTo(link.product.url, email)).length > 1 ? 1 : 0);
      result.stuck += writers.wrong + (seconds === null ? 1 : 0);
      result.seconds = Math.max(result.seconds, seconds ?? 120);
    }
    return result;
  },
};
