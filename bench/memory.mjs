import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerUser, residentBytes, startProduct } from './lib/product.mjs';

/**
 * `npm run bench:memory [minutes]`: memory of a web process under load: lists, uploads and downloads of some megabytes,
 * and archives, all concurrently. Prints its memory every 20 seconds, the maximum and the final value. Exits with 1
 * above 300 MB.
 */
const minutes = Number(process.argv[2] ?? 3);
const LIMIT_MB = 300;
const MIB = 1024 * 1024;
const HANDS = 8;
const SIZE = 4 * MIB;
/** The free plan includes one gigabyte. */
const MOST_UPLOADS = 200;
let uploads = 0;

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-memory-'));
const token = randomBytes(20).toString('hex');
const product = await startProduct({ DATA_DIR: dataDir, ROLE: 'all', METRICS_TOKEN: token });
const megabytes = () => residentBytes(product.child.pid) / MIB;
/** The share of V8's heap, and of buffers outside it. */
async function parts() {
  const text = await (await fetch(`${product.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).text();
  const of = (name) => (Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / MIB).toFixed(0);
  return `heap ${of('nodejs_heap_size_used_bytes')} of ${of('nodejs_heap_size_total_bytes')}, buffers ${of('nodejs_external_memory_bytes')}`;
}
let most = 0;
let calls = 0;

try {
  const owner = await registerUser(product.url, 'memory_owner');
  const zone = await (await owner.call('POST', '/api/zones', { name: 'Memory', type: 'private' })).json();
  console.log(`at rest: ${megabytes().toFixed(0)} MB (${await parts()})`);
  const until = performance.now() + minutes * 60_000;
  const watch = setInterval(() => {
    most = Math.max(most, megabytes());
  }, 500);
  const print = setInterval(
    async () => console.log(`${calls} calls: ${megabytes().toFixed(0)} MB (${await parts()})`),
    20_000,
  );
  await Promise.all(Array.from({ length: HANDS }, (_, hand) => work(owner, zone.id, hand, until)));
  clearInterval(watch);
  clearInterval(print);
  console.log(
    `after ${minutes} minutes and ${calls} calls: at most ${most.toFixed(0)} MB, at the end ${megabytes().toFixed(0)} MB`,
  );
} finally {
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(most > LIMIT_MB ? 1 : 0);

async function work(owner, zoneId, hand, until) {
  for (let turn = 0; performance.now() < until; turn++) {
    const kind = (turn + hand) % 4;
    if (kind === 0) await transfer(owner, zoneId, `${hand}-${turn}`);
    else if (kind === 1) await drain(owner.call('GET', `/api/zones/${zoneId}/files?limit=1000`));
    else if (kind === 2) await drain(owner.call('GET', '/api/zones'));
    else await drain(fetch(`${product.url}/`));
    calls++;
  }
}

/** Uploads some megabytes while the plan has space, and reads an existing file. */
async function transfer(owner, zoneId, name) {
  if (uploads++ < MOST_UPLOADS) {
    const boundary = `bench${randomBytes(8).toString('hex')}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}.bin"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), randomBytes(SIZE), Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
    await drain(owner.call('POST', `/api/zones/${zoneId}/files`, body, type));
  }
  const files = await (await owner.call('GET', `/api/zones/${zoneId}/files?limit=1000`)).json();
  const { id } = files[Math.floor(Math.random() * files.length)];
  await drain(owner.call('GET', `/api/files/${id}/download`));
}

async function drain(answer) {
  return (await answer).arrayBuffer();
}
