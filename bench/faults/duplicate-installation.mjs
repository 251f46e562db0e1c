import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ownerWithZone } from '../lib/faults/upload-helpers.mjs';

const TIMES = 2;

/** A copy of the data folder, with its database, is started on the storage of the running original. */
export default {
  name: 'a copy is started beside its running original',
  before: 'it ran: its jobs removed files of the original',
  async run(room) {
    const folder = room.folder();
    const STORAGE_URL = `file://${join(folder, 'files')}`;
    const env = { DATA_DIR: folder, STORAGE_URL };
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    let original = await room.product(env);
    const { owner, upload } = await ownerWithZone(original);
    const kept = [await upload('before the first copy')];
    for (let at = 0; at < TIMES; at++) {
      await original.stop();
      const copy = room.folder();
      execFileSync('cp', ['-a', `${folder}/.`, copy]);
      original = await room.product(env);
      // The port changes with each start.
      owner.url = original.url;
      kept.push(await upload(`after copy ${at}`));
      const refused = await room.refusedStart({ DATA_DIR: copy, STORAGE_URL });
      if (!refused?.output.includes('Another installation is using this storage now')) result.stuck++;
      result.seconds = Math.max(result.seconds, refused?.seconds ?? 0);
      const ready = await fetch(`${original.url}/readyz`);
      if (!ready.ok) result.stuck++;
    }
    for (const id of kept) {
      const answer = await fetch(`${original.url}/api/files/${id}/view`, { headers: { Cookie: owner.cookie } });
      await answer.arrayBuffer();
      if (!answer.ok) result.lost++;
    }
    return result;
  },
};
