import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { createOwnerWithZone } from '../lib/faults/upload-helpers.mjs';

const RUNS = 2;
const FILES = 20;
const MIB = 2 ** 20;

/** A restore is killed when part of the content is written, and repeated. */
export default {
  name: 'a restore is killed half-way',
  previousBehaviour: 'left contents behind, every further restore was rejected',
  async run(environment) {
    const env = { DATA_DIR: environment.createFolder(), LOG_LEVEL: 'error' };
    const product = await environment.startProduct(env);
    const { uploadFile } = await createOwnerWithZone(product);
    for (let index = 0; index < FILES; index++) await uploadFile(`file ${index}`, Buffer.alloc(4 * MIB, index));
    const backup = join(environment.createFolder(), 'backup.tar');
    const created = await environment.runCommand('backup', ['--to', backup], env);
    if (created.code !== 0) throw new Error(created.output);
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      const target = { DATA_DIR: environment.createFolder(), LOG_LEVEL: 'error' };
      const objects = join(target.DATA_DIR, 'files/files');
      const isPartlyRestored = () => existsSync(objects) && readdirSync(objects).length > 3;
      await environment.runCommand('restore', ['--from', backup], target, secondsUntil(isPartlyRestored, 120));
      const startedAt = performance.now();
      const repeated = await environment.runCommand('restore', ['--from', backup], target);
      result.seconds = Math.max(result.seconds, (performance.now() - startedAt) / 1000);
      if (repeated.code !== 0) result.stuck++;
      const files = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      result.lost += Math.max(0, FILES - files.length);
      result.duplicated += Math.max(0, files.length - FILES);
    }
    return result;
  },
};
