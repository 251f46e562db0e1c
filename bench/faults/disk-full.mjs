import { execFileSync } from 'node:child_process';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { createOwnerWithZone, tryUpload } from '../lib/faults/upload-helpers.mjs';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RUNS = 2;
const MIB = 2 ** 20;

/** Uploads fill a disk of 400 MB that also contains the database; then space is freed. Needs permission to mount. */
export default {
  name: 'uploads fill the disk',
  previousBehaviour: 'PostgreSQL lost its log, everything answered 500',
  async run(environment) {
    const disk = environment.createFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=711', 'tmpfs', disk]);
    environment.onClose(() => execFileSync('umount', ['-l', disk]));
    const product = await environment.startProduct({ DATA_DIR: join(disk, 'data'), DISK_RESERVE: '64MB' });
    const { owner, zone, uploadFile, canReadFile } = await createOwnerWithZone(product);
    const filler = join(disk, 'filler');
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    const stored = [];
    for (let round = 0; round < RUNS; round++) {
      writeFileSync(filler, Buffer.alloc(40 * MIB));
      for (let attempt = 0; attempt < 60; attempt++) {
        const id = await tryUpload(() => uploadFile(`fills ${round} ${attempt}`, Buffer.alloc(20 * MIB, attempt)));
        if (id === null) break;
        stored.push(id);
      }
      // Everything except uploads must keep working.
      const name = `Full ${round}`;
      await owner.call('PATCH', `/api/zones/${zone.id}`, { name }).catch(() => null);
      const current = await (await owner.call('GET', `/api/zones/${zone.id}`)).json();
      if (current.name !== name) result.lost++;
      rmSync(filler);
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
