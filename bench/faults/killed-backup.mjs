import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { register } from '../lib/product.mjs';

const TIMES = 3;

/** A backup is killed while writing, and repeated to the same file. */
export default {
  name: 'a backup is killed while it writes',
  before: 'its .part made every further one fail',
  async run(room) {
    const env = { DATA_DIR: room.folder(), LOG_LEVEL: 'error' };
    const product = await room.product(env);
    const owner = await register(product.url, 'fault_owner');
    await owner.call('POST', '/api/zones', { name: 'Faults', type: 'private' });
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      const file = join(room.folder(), 'backup.tar');
      await room.command(
        'backup',
        ['--to', file],
        env,
        secondsUntil(() => readdirSync(dirname(file)).some((name) => name.endsWith('.part'))),
      );
      const begun = performance.now();
      const again = await room.command('backup', ['--to', file], env);
      if (again.code !== 0) result.stuck++;
      result.seconds = Math.max(result.seconds, (performance.now() - begun) / 1000);
    }
    return result;
  },
};
