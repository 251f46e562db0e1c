import { openDatabase } from '../lib/database.mjs';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { Client, PASSWORD, registerUser } from '../lib/product.mjs';

const RUNS = 2;
const WRITES = 40;
/** Longest acceptable duration of another user's requests while the lock is held, in seconds. */
const LIMIT_SECONDS = 3;

const signIn = (url, email) => new Client(url).call('POST', '/api/login', { email, password: PASSWORD });

/** A lock is held on one zone while its owner keeps writing to it; others work and sign in meanwhile. */
export default {
  name: 'a lock on one zone is held for a minute',
  previousBehaviour: 'the pool was exhausted: sign-in hung, not ready',
  async run(environment) {
    const dataDir = environment.createFolder();
    const product = await environment.startProduct({ DATA_DIR: dataDir });
    const owner = await registerUser(product.url, 'fault_owner');
    const other = await registerUser(product.url, 'fault_other');
    const lockedZone = await (await owner.call('POST', '/api/zones', { name: 'Locked', type: 'private' })).json();
    const freeZone = await (await other.call('POST', '/api/zones', { name: 'Free 0', type: 'private' })).json();
    const pool = await openDatabase(dataDir);
    environment.onClose(() => pool.end());
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 1; round <= RUNS; round++) {
      const lockHolder = await pool.connect();
      await lockHolder.query('begin');
      await lockHolder.query('select 1 from zones where id = $1 for update', [lockedZone.id]);
      const rename = (number) =>
        owner.call('PATCH', `/api/zones/${lockedZone.id}`, { name: `Locked ${round} ${number}` });
      const writes = Array.from({ length: WRITES }, (_, number) => rename(number).catch(() => null));
      for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
        const startedAt = performance.now();
        const ready = await fetch(`${product.url}/readyz`);
        await other.call('PATCH', `/api/zones/${freeZone.id}`, { name: `Free ${round}` });
        await signIn(product.url, 'fault_other@example.com');
        if (!ready.ok || performance.now() - startedAt > LIMIT_SECONDS * 1000) result.stuck++;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      await lockHolder.query('rollback');
      lockHolder.release();
      const seconds = await secondsUntil(() => rename('last').then(Boolean, () => false));
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 60);
      await Promise.all(writes);
    }
    return result;
  },
};
