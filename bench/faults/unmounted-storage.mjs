import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { ownerWithZone, tryUpload } from '../lib/faults/upload-helpers.mjs';

const TIMES = 5;

/** The disk with the files disappears during uploads, leaving an empty folder, then comes back. */
export default {
  name: 'the disk of the files is unmounted, and back',
  before: '201 into the empty folder below: lost',
  async run(room) {
    const folder = room.folder();
    const root = join(folder, 'files');
    const { upload, read } = await ownerWithZone(await room.product({ DATA_DIR: folder }));
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    const kept = [];
    for (let at = 0; at < TIMES; at++) {
      kept.push(await upload(`before ${at}`));
      renameSync(root, `${root}-aside`);
      mkdirSync(root);
      for (let one = 0; one < 5; one++) {
        const answer = await tryUpload(() => upload(`into nothing ${at} ${one}`));
        if (answer !== null) result.lost++;
      }
      if (readdirSync(root).length > 0) result.lost++;
      rmSync(root, { recursive: true });
      renameSync(`${root}-aside`, root);
      const seconds = await secondsUntil(async () => {
        const id = await tryUpload(() => upload(`after ${at} ${performance.now()}`));
        if (id !== null) kept.push(id);
        return id !== null;
      });
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 60);
    }
    for (const id of kept) if (!(await read(id))) result.lost++;
    return result;
  },
};
