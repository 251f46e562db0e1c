import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { registerUser } from '../lib/product.mjs';

const RUNS = 3;

/** A backup is killed while it writes and repeated to the same file. */
export default {
  name: 'a backup is killed while it writes',
  previousBehaviour: 'the leftover .part file made all later backups fail',
  async run(environment) {
    const env = { DATA_DIR: environment.createFolder(), LOG_LEVEL: 'error' };
    const product = await environment.startProduct(env);
    const owner = await registerUser(product.url, 'fault_owner');
    await owner.call('POST', '/api/zones', { name: 'Faults', type: 'private' });
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      const file = join(environment.createFolder(), 'backup.tar');
      await environment.runCommand(
        'backup',
        ['--to', file],
        env,
        secondsUntil(() => readdirSync(dirname(file)).some((name) => name.endsWith('.part'))),
      );
      const startedAt = performance.now();
      const repeated = await environment.runCommand('backup', ['--to', file], env);
      if (repeated.code !== 0) result.stuck++;
      result.seconds = Math.max(result.seconds, (performance.now() - startedAt) / 1000);
    }
    return result;
  },
};
