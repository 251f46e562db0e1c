import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { ownerWithZone } from '../lib/faults/upload-helpers.mjs';

const TIMES = 2;
const MIB = 2 ** 20;

/** A restore is killed when part of the content is written, and repeated. */
export default {
  name: 'a restore is killed half-way',
  before: 'left contents, and refused for ever after',
  async run(room) {
    const env = { DATA_DIR: room.folder(), LOG_LEVEL: 'error' };
    const product = await room.product(env);
    const { upload } = await ownerWithZone(product);
    const FILES = 20;
    for (let at = 0; at < FILES; at++) await upload(`file ${at}`, Buffer.alloc(4 * MIB, at));
    const backup = join(room.folder(), 'backup.tar');
    const made = await room.command('backup', ['--to', backup], env);
    if (made.code !== 0) throw new Error(made.output);
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      const target = { DATA_DIR: room.folder(), LOG_LEVEL: 'error' };
      const objects = join(target.DATA_DIR, 'files/files');
      const someAreThere = () => existsSync(objects) && readdirSync(objects).length > 3;
      await room.command('restore', ['--from', backup], target, secondsUntil(someAreThere, 120));
      const begun = performance.now();
      const again = await room.command('restore', ['--from', backup], target);
      result.seconds = Math.max(result.seconds, (performance.now() - begun) / 1000);
      if (again.code !== 0) result.stuck++;
      const files = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      result.lost += Math.max(0, FILES - files.length);
      result.doubled += Math.max(0, files.length - FILES);
    }
    return result;
  },
};
