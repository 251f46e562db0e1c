import { once } from 'node:events';
import { ownerWithZone, tryUpload } from '../lib/faults/upload-helpers.mjs';

const TIMES = 3;
const HANDS = 4;

/** The product is killed during uploads and restarted; every acknowledged upload must be stored. */
export default {
  name: 'the product is killed in the middle of uploads',
  before: 'held already',
  async run(room) {
    const DATA_DIR = room.folder();
    let product = await room.product({ DATA_DIR });
    const { owner, zone, upload } = await ownerWithZone(product);
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    const kept = [];
    for (let at = 0; at < TIMES; at++) {
      let isKilled = false;
      const hand = async (number) => {
        for (let turn = 0; !isKilled; turn++) {
          const id = await tryUpload(() => upload(`${at} ${number} ${turn}`));
          if (id !== null) kept.push(id);
        }
      };
      const hands = Array.from({ length: HANDS }, (_, number) => hand(number));
      await new Promise((resume) => setTimeout(resume, 1500));
      const ended = once(product.child, 'exit');
      product.child.kill('SIGKILL');
      await ended;
      isKilled = true;
      await Promise.all(hands);
      product = await room.product({ DATA_DIR, PORT: new URL(product.url).port });
      result.seconds = Math.max(result.seconds, product.startMs / 1000);
    }
    const files = await (await owner.call('GET', `/api/zones/${zone.id}/files?limit=1000`)).json();
    const there = new Set(files.map(({ id }) => id));
    result.lost = kept.filter((id) => !there.has(id)).length;
    const names = files.map(({ name, originalName }) => originalName ?? name);
    result.doubled = names.length - new Set(names).size;
    return result;
  },
};
