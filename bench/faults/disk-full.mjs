import { execFileSync } from 'node:child_process';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { ownerWithZone, tryUpload } from '../lib/faults/upload-helpers.mjs';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TIMES = 2;
const MIB = 2 ** 20;

/** Uploads fill a disk of 400 MB that also contains the database; then space is freed. Needs permission to mount. */
export default {
  name: 'the disk runs full by uploads',
  before: 'PostgreSQL lost its log, everything answered 500',
  async run(room) {
    const disk = room.folder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=711', 'tmpfs', disk]);
    room.onClose(() => execFileSync('umount', ['-l', disk]));
    const product = await room.product({ DATA_DIR: join(disk, 'data'), DISK_RESERVE: '64MB' });
    const { owner, zone, upload, read } = await ownerWithZone(product);
    const ballast = join(disk, 'ballast');
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    const kept = [];
    for (let at = 0; at < TIMES; at++) {
      writeFileSync(ballast, Buffer.alloc(40 * MIB));
      for (let tries = 0; tries < 60; tries++) {
        const id = await tryUpload(() => upload(`fills ${at} ${tries}`, Buffer.alloc(20 * MIB, tries)));
        if (id === null) break;
        kept.push(id);
      }
      // Everything except uploads must keep working.
      const name = `Full ${at}`;
      await owner.call('PATCH', `/api/zones/${zone.id}`, { name }).catch(() => null);
      const now = await (await owner.call('GET', `/api/zones/${zone.id}`)).json();
      if (now.name !== name) result.lost++;
      rmSync(ballast);
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
