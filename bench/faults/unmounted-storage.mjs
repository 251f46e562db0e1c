import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { createOwnerWithZone, tryUpload } from '../lib/faults/upload-helpers.mjs';

const RUNS = 5;

/** The disk with the files disappears during uploads, leaving an empty folder, then comes back. */
export default {
  name: 'the disk of the files is unmounted and mounted again',
  previousBehaviour: '201 into the empty folder below: lost',
  async run(environment) {
    const folder = environment.createFolder();
    const storage = join(folder, 'files');
    const { uploadFile, canReadFile } = await createOwnerWithZone(await environment.startProduct({ DATA_DIR: folder }));
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    const stored = [];
    for (let round = 0; round < RUNS; round++) {
      stored.push(await uploadFile(`before ${round}`));
      renameSync(storage, `${storage}-aside`);
      mkdirSync(storage);
      for (let attempt = 0; attempt < 5; attempt++) {
        const fileId = await tryUpload(() => uploadFile(`without the disk ${round} ${attempt}`));
        if (fileId !== null) result.lost++;
      }
      if (readdirSync(storage).length > 0) result.lost++;
      rmSync(storage, { recursive: true });
      renameSync(`${storage}-aside`, storage);
      const seconds = await secondsUntil(async () => {
        const id = await tryUpload(() => uploadFile(`after ${round} ${performance.now()}`));
        if (id !== null) stored.push(id);
        return id !== null;
      });
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 60);
    }
    for (const id of stored) if (!(await canReadFile(id))) result.lost++;
    return result;
  },
};
