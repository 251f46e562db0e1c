import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerUser, residentBytes, startProduct } from './lib/product.mjs';

/**
 * `npm run bench:memory -- [minutes]`: memory of a web process under load: concurrent lists, uploads and downloads of
 * 4 MB files, and requests for the web app. Prints its memory every 20 seconds, the maximum and the final value. Exits
 * with 1 above 300 MB.
 */
const minutes = Number(process.argv[2] ?? 3);
const LIMIT_MB = 300;
const MIB = 1024 * 1024;
const CLIENTS = 8;
const FILE_BYTES = 4 * MIB;
/** The free plan includes one gigabyte. */
const MAX_UPLOADS = 200;
let uploadCount = 0;

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-memory-'));
const metricsToken = randomBytes(20).toString('hex');
const product = await startProduct({ DATA_DIR: dataDir, ROLE: 'all', METRICS_TOKEN: metricsToken });
const residentMegabytes = () => residentBytes(product.child.pid) / MIB;
/** Describes the sizes of V8's heap, and of buffers outside it. */
async function describeHeap() {
  const text = await (
    await fetch(`${product.url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })
  ).text();
  const megabytesOf = (name) => (Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / MIB).toFixed(0);
  return `heap ${megabytesOf('nodejs_heap_size_used_bytes')} of ${megabytesOf('nodejs_heap_size_total_bytes')}, buffers ${megabytesOf('nodejs_external_memory_bytes')}`;
}
let peakMegabytes = 0;
let requestCount = 0;

try {
  const owner = await registerUser(product.url, 'memory_owner');
  const zone = await (await owner.call('POST', '/api/zones', { name: 'Memory', type: 'private' })).json();
  console.log(`without load: ${residentMegabytes().toFixed(0)} MB (${await describeHeap()})`);
  const deadline = performance.now() + minutes * 60_000;
  const peakTimer = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, residentMegabytes());
  }, 500);
  const printTimer = setInterval(
    async () => console.log(`${requestCount} requests: ${residentMegabytes().toFixed(0)} MB (${await describeHeap()})`),
    20_000,
  );
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => sendRequests(owner, zone.id, client, deadline)));
  clearInterval(peakTimer);
  clearInterval(printTimer);
  console.log(
    `after ${minutes} minutes and ${requestCount} requests: at most ${peakMegabytes.toFixed(0)} MB, at the end ${residentMegabytes().toFixed(0)} MB`,
  );
} finally {
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(peakMegabytes > LIMIT_MB ? 1 : 0);

async function sendRequests(owner, zoneId, client, deadline) {
  for (let iteration = 0; performance.now() < deadline; iteration++) {
    const kind = (iteration + client) % 4;
    if (kind === 0) await uploadAndDownload(owner, zoneId, `${client}-${iteration}`);
    else if (kind === 1) await readResponse(owner.call('GET', `/api/zones/${zoneId}/files?limit=1000`));
    else if (kind === 2) await readResponse(owner.call('GET', '/api/zones'));
    else await readResponse(fetch(`${product.url}/`));
    requestCount++;
  }
}

/** Uploads some megabytes while the plan has space, and reads an existing file. */
async function uploadAndDownload(owner, zoneId, name) {
  if (uploadCount++ < MAX_UPLOADS) {
    const boundary = `bench${randomBytes(8).toString('hex')}`;
    const header = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}.bin"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(header), randomBytes(FILE_BYTES), Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
    await readResponse(owner.call('POST', `/api/zones/${zoneId}/files`, body, headers));
  }
  const files = await (await owner.call('GET', `/api/zones/${zoneId}/files?limit=1000`)).json();
  const { id } = files[Math.floor(Math.random() * files.length)];
  await readResponse(owner.call('GET', `/api/files/${id}/download`));
}

async function readResponse(response) {
  return (await response).arrayBuffer();
}
