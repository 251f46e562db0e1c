import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { registerUser } from '../lib/product.mjs';

const RUNS = 3;

/** The embedded PostgreSQL is killed while zones are renamed; every acknowledged name must be stored. */
export default {
  name: 'the embedded database is killed',
  previousBehaviour: 'the product exited',
  async run(environment) {
    const dataDir = environment.createFolder();
    const product = await environment.startProduct({ DATA_DIR: dataDir });
    const owner = await registerUser(product.url, 'fault_owner');
    const zone = await (await owner.call('POST', '/api/zones', { name: 'Name 0', type: 'private' })).json();
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 1; round <= RUNS; round++) {
      await owner.call('PATCH', `/api/zones/${zone.id}`, { name: `Name ${round}` });
      const [pid] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      const isReady = () => fetch(`${product.url}/readyz`).then(({ status }) => status === 200);
      const secondsUntilDown = await secondsUntil(async () => !(await isReady()), 10);
      const seconds = await secondsUntil(isReady);
      if (seconds === null) result.stuck++;
      else result.seconds = Math.max(result.seconds, (secondsUntilDown ?? 0) + seconds);
      const current = await (await owner.call('GET', `/api/zones/${zone.id}`)).json();
      if (current.name !== `Name ${round}`) result.lost++;
    }
    return result;
  },
};
