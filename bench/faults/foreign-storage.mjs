import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createOwnerWithZone } from '../lib/faults/upload-helpers.mjs';

const RUNS = 2;

/** Another installation is started on the storage of a running one. */
export default {
  name: 'another installation gets our storage',
  previousBehaviour: 'its weekly comparison deleted all our files',
  async run(environment) {
    const folder = environment.createFolder();
    const storage = join(environment.createFolder(), 'files');
    const STORAGE_URL = `file://${storage}`;
    const { uploadFile, canReadFile } = await createOwnerWithZone(
      await environment.startProduct({ DATA_DIR: folder, STORAGE_URL }),
    );
    const ids = [await uploadFile('one'), await uploadFile('two')];
    const countBefore = readdirSync(storage, { recursive: true }).length;
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      const otherDataDir = join(environment.createFolder(), 'data');
      mkdirSync(otherDataDir);
      const startedAt = performance.now();
      const started = await environment.startProduct({ DATA_DIR: otherDataDir, STORAGE_URL, ROLE: 'web' }).then(
        () => true,
        () => false,
      );
      result.seconds = Math.max(result.seconds, (performance.now() - startedAt) / 1000);
      if (started) result.stuck++;
    }
    for (const id of ids) if (!(await canReadFile(id))) result.lost++;
    if (readdirSync(storage, { recursive: true }).length < countBefore) result.lost++;
    return result;
  },
};
