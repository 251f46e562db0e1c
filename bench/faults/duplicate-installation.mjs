import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createOwnerWithZone } from '../lib/faults/upload-helpers.mjs';

const RUNS = 2;

/** A copy of the data folder, with its database, is started on the storage of the running original. */
export default {
  name: 'a copy is started beside its running original',
  previousBehaviour: 'it ran: its jobs deleted files of the original',
  async run(environment) {
    const folder = environment.createFolder();
    const STORAGE_URL = `file://${join(folder, 'files')}`;
    const env = { DATA_DIR: folder, STORAGE_URL };
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    let original = await environment.startProduct(env);
    const { owner, uploadFile } = await createOwnerWithZone(original);
    const stored = [await uploadFile('before the first copy')];
    for (let round = 0; round < RUNS; round++) {
      await original.stop();
      const copy = environment.createFolder();
      execFileSync('cp', ['-a', `${folder}/.`, copy]);
      original = await environment.startProduct(env);
      // The port changes with each start.
      owner.url = original.url;
      stored.push(await uploadFile(`after copy ${round}`));
      const failedStart = await environment.expectFailedStart({ DATA_DIR: copy, STORAGE_URL });
      if (!failedStart?.output.includes('Another installation is using this storage now')) result.stuck++;
      result.seconds = Math.max(result.seconds, failedStart?.seconds ?? 0);
      const ready = await fetch(`${original.url}/readyz`);
      if (!ready.ok) result.stuck++;
    }
    for (const id of stored) {
      const response = await fetch(`${original.url}/api/files/${id}/view`, { headers: { Cookie: owner.cookie } });
      await response.arrayBuffer();
      if (!response.ok) result.lost++;
    }
    return result;
  },
};
