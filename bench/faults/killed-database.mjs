import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { register } from '../lib/product.mjs';

const TIMES = 3;

/** The embedded PostgreSQL is killed while zones are renamed; every acknowledged name must be stored. */
export default {
  name: 'the embedded database is killed',
  before: 'the product ended',
  async run(room) {
    const dataDir = room.folder();
    const product = await room.product({ DATA_DIR: dataDir });
    const owner = await register(product.url, 'fault_owner');
    const zone = await (await owner.call('POST', '/api/zones', { name: 'Name 0', type: 'private' })).json();
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 1; at <= TIMES; at++) {
      await owner.call('PATCH', `/api/zones/${zone.id}`, { name: `Name ${at}` });
      const [pid] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      const works = () => fetch(`${product.url}/readyz`).then(({ status }) => status === 200);
      const down = await secondsUntil(async () => !(await works()), 10);
      const seconds = await secondsUntil(works);
      if (seconds === null) result.stuck++;
      else result.seconds = Math.max(result.seconds, (down ?? 0) + seconds);
      const now = await (await owner.call('GET', `/api/zones/${zone.id}`)).json();
      if (now.name !== `Name ${at}`) result.lost++;
    }
    return result;
  },
};
