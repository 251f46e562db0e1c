import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerUser, residentBytes, startProduct } from './lib/product.mjs';

/**
 * `npm run bench:base`: time from start to listening with an empty and an existing data folder, and the memory that a
 * 100 MB upload adds to the web process. Prints figures with their limits.
 */
const MIB = 2 ** 20;
const UPLOAD = 100 * MIB - 4096;
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));

function report(what, value, limit, unit) {
  const verdict = value <= limit ? 'ok' : 'OVER';
  console.log(`${what.padEnd(52)} ${value.toFixed(2).padStart(8)} ${unit}   limit ${limit} ${unit}   ${verdict}`);
}

/** A multipart body with one file, generated while it is read, so that the client's memory plays no part. */
function multipart(bytes, boundary) {
  const block = randomBytes(MIB);
  let left = bytes;
  let begun = false;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (!begun) {
        begun = true;
        const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="big.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
        controller.enqueue(new TextEncoder().encode(head));
      } else if (left > 0) {
        const size = Math.min(left, block.length);
        left -= size;
        controller.enqueue(new Uint8Array(block.subarray(0, size)));
      } else {
        controller.enqueue(new TextEncoder().encode(`\r\n--${boundary}--\r\n`));
        controller.close();
      }
    },
  });
}

async function uploadMemory({ url, child }) {
  const client = await registerUser(url, 'bench_owner');
  const zone = await (await client.call('POST', '/api/zones', { name: 'Bench', type: 'private' })).json();
  const before = residentBytes(child.pid);
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, residentBytes(child.pid))), 20);
  const boundary = `bench${randomBytes(8).toString('hex')}`;
  const begun = performance.now();
  await client.call('POST', `/api/zones/${zone.id}/files`, multipart(UPLOAD, boundary), {
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
  });
  clearInterval(watch);
  console.log(`uploaded ${(UPLOAD / MIB).toFixed(1)} MiB in ${((performance.now() - begun) / 1000).toFixed(2)} s`);
  return (highest - before) / MIB;
}

try {
  const first = await startProduct({ DATA_DIR: dataDir });
  await first.stop();
  report('first start to listening (initdb, migrations)', first.startMs / 1000, 6, 's');
  const starts = [];
  for (let round = 0; round < 3; round++) {
    const again = await startProduct({ DATA_DIR: dataDir });
    starts.push(again.startMs / 1000);
    if (round < 2) await again.stop();
    else {
      report('start to listening on existing data (worst of 3)', Math.max(...starts), 3, 's');
      report('web process: rise of memory by a 100 MB upload', await uploadMemory(again), 64, 'MiB');
      await again.stop();
    }
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
