import { databaseOf } from '../lib/database.mjs';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { Client, PASSWORD, register } from '../lib/product.mjs';

const TIMES = 2;
const WRITES = 40;
/** Longest acceptable wait of others while the lock is held, in seconds. */
const PATIENCE = 3;

const signIn = (url, email) => new Client(url).call('POST', '/api/login', { email, password: PASSWORD });

/** A lock is held on one zone while its owner keeps writing to it; others work and sign in meanwhile. */
export default {
  name: 'a lock on one zone is held for a minute',
  before: 'no place in the pool: sign-in hung, not ready',
  async run(room) {
    const dataDir = room.folder();
    const product = await room.product({ DATA_DIR: dataDir });
    const owner = await register(product.url, 'fault_owner');
    const other = await register(product.url, 'fault_other');
    const zone = await (await owner.call('POST', '/api/zones', { name: 'Locked', type: 'private' })).json();
    const own = await (await other.call('POST', '/api/zones', { name: 'Free 0', type: 'private' })).json();
    const pool = await databaseOf(dataDir);
    room.onClose(() => pool.end());
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 1; at <= TIMES; at++) {
      const holder = await pool.connect();
      await holder.query('begin');
      await holder.query('select 1 from zones where id = $1 for update', [zone.id]);
      const rename = (n) => owner.call('PATCH', `/api/zones/${zone.id}`, { name: `Locked ${at} ${n}` });
      const writes = Array.from({ length: WRITES }, (_, n) => rename(n).catch(() => null));
      for (const until = performance.now() + 60_000; performance.now() < until;) {
        const begun = performance.now();
        const ready = await fetch(`${product.url}/readyz`);
        await other.call('PATCH', `/api/zones/${own.id}`, { name: `Free ${at}` });
        await signIn(product.url, 'fault_other@example.com');
        if (!ready.ok || performance.now() - begun > PATIENCE * 1000) result.stuck++;
        await new Promise((resume) => setTimeout(resume, 500));
      }
      await holder.query('rollback');
      holder.release();
      const seconds = await secondsUntil(() => rename('last').then(Boolean, () => false));
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 60);
      await Promise.all(writes);
    }
    return result;
  },
};
