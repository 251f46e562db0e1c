import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownerWithZone } from '../lib/faults/upload-helpers.mjs';

const TIMES = 2;

/** Another installation is started on the storage of a running one. */
export default {
  name: 'another installation is given our storage',
  before: 'its weekly comparison removed all our files',
  async run(room) {
    const folder = room.folder();
    const storage = join(room.folder(), 'files');
    const STORAGE_URL = `file://${storage}`;
    const { upload, read } = await ownerWithZone(await room.product({ DATA_DIR: folder, STORAGE_URL }));
    const ids = [await upload('one'), await upload('two')];
    const before = readdirSync(storage, { recursive: true }).length;
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      const other = join(room.folder(), 'data');
      mkdirSync(other);
      const begun = performance.now();
      const started = await room.product({ DATA_DIR: other, STORAGE_URL, ROLE: 'web' }).then(
        () => true,
        () => false,
      );
      result.seconds = Math.max(result.seconds, (performance.now() - begun) / 1000);
      if (started) result.stuck++;
    }
    for (const id of ids) if (!(await read(id))) result.lost++;
    if (readdirSync(storage, { recursive: true }).length < before) result.lost++;
    return result;
  },
};
