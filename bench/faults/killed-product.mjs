import { once } from 'node:events';
import { createOwnerWithZone, tryUpload } from '../lib/faults/upload-helpers.mjs';

const RUNS = 3;
const CLIENTS = 4;

/** The product is killed during uploads and restarted; every acknowledged upload must be stored. */
export default {
  name: 'the product is killed during uploads',
  previousBehaviour: 'no problem',
  async run(environment) {
    const DATA_DIR = environment.createFolder();
    let product = await environment.startProduct({ DATA_DIR });
    const { owner, zone, uploadFile } = await createOwnerWithZone(product);
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    const acknowledged = [];
    for (let round = 0; round < RUNS; round++) {
      let isKilled = false;
      const uploadRepeatedly = async (client) => {
        for (let iteration = 0; !isKilled; iteration++) {
          const id = await tryUpload(() => uploadFile(`${round} ${client} ${iteration}`));
          if (id !== null) acknowledged.push(id);
        }
      };
      const uploads = Array.from({ length: CLIENTS }, (_, client) => uploadRepeatedly(client));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const exited = once(product.child, 'exit');
      product.child.kill('SIGKILL');
      await exited;
      isKilled = true;
      await Promise.all(uploads);
      product = await environment.startProduct({ DATA_DIR, PORT: new URL(product.url).port });
      result.seconds = Math.max(result.seconds, product.startMs / 1000);
    }
    const files = await (await owner.call('GET', `/api/zones/${zone.id}/files?limit=1000`)).json();
    const existing = new Set(files.map(({ id }) => id));
    result.lost = acknowledged.filter((id) => !existing.has(id)).length;
    const names = files.map(({ name, originalName }) => originalName ?? name);
    result.duplicated = names.length - new Set(names).size;
    return result;
  },
};
