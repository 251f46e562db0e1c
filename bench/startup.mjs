import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, registerUser, residentBytes, startProduct } from './lib/product.mjs';

/**
 * `npm run bench:startup`: time from start to listening with an empty and an existing data folder, with its CPU time and
 * memory, and the memory that a 100 MB upload adds to the web process. Prints figures with their limits.
 */
const MIB = 2 ** 20;
const UPLOAD_BYTES = 100 * MIB - 4096;
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));

function reportFigure(label, value, limit, unit) {
  const verdict = value <= limit ? 'ok' : 'MISSED';
  console.log(`${label.padEnd(52)} ${value.toFixed(2).padStart(8)} ${unit}   at most ${limit} ${unit}   ${verdict}`);
}

/** Creates a multipart body with one file, generated while it is read, so that it takes no memory of the client. */
function createMultipartStream(bytes, boundary) {
  const block = randomBytes(MIB);
  let remaining = bytes;
  let isStarted = false;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (!isStarted) {
        isStarted = true;
        const header = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="big.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
        controller.enqueue(new TextEncoder().encode(header));
      } else if (remaining > 0) {
        const size = Math.min(remaining, block.length);
        remaining -= size;
        controller.enqueue(new Uint8Array(block.subarray(0, size)));
      } else {
        controller.enqueue(new TextEncoder().encode(`\r\n--${boundary}--\r\n`));
        controller.close();
      }
    },
  });
}

async function measureUploadMemory({ url, child }) {
  const client = await registerUser(url, 'bench_owner');
  const zone = await (await client.call('POST', '/api/zones', { name: 'Bench', type: 'private' })).json();
  const bytesBefore = residentBytes(child.pid);
  let peakBytes = bytesBefore;
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytes(child.pid))), 20);
  const boundary = `bench${randomBytes(8).toString('hex')}`;
  const startedAt = performance.now();
  await client.call('POST', `/api/zones/${zone.id}/files`, createMultipartStream(UPLOAD_BYTES, boundary), {
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
  });
  clearInterval(timer);
  console.log(
    `uploaded ${(UPLOAD_BYTES / MIB).toFixed(1)} MiB in ${((performance.now() - startedAt) / 1000).toFixed(2)} s`,
  );
  return (peakBytes - bytesBefore) / MIB;
}

try {
  const firstStart = await startProduct({ DATA_DIR: dataDir });
  await firstStart.stop();
  reportFigure('first start to listening (initdb, migrations)', firstStart.startMs / 1000, 6, 's');
  const [startSeconds, usedCpu, resident] = [[], [], []];
  for (let round = 0; round < 3; round++) {
    const product = await startProduct({ DATA_DIR: dataDir });
    startSeconds.push(product.startMs / 1000);
    usedCpu.push(cpuSeconds(product.child.pid));
    resident.push(residentBytes(product.child.pid) / MIB);
    if (round < 2) await product.stop();
    else {
      reportFigure('start to listening with existing data (slowest of 3)', Math.max(...startSeconds), 3, 's');
      reportFigure('CPU time of the web process until then', Math.max(...usedCpu), 3, 's');
      reportFigure('resident memory of the web process by then', Math.max(...resident), 260, 'MiB');
      reportFigure('web process: memory added by a 100 MB upload', await measureUploadMemory(product), 64, 'MiB');
      await product.stop();
    }
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
