import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startBareFileServer } from './lib/bare-file-server.mjs';
import { transferRate } from './lib/transfer-rate.mjs';
import { startHandOverNginx, startNginx } from './lib/nginx.mjs';
import { registerUser, residentBytes, root, startProduct } from './lib/product.mjs';
import { startS3Server } from './lib/s3rver.mjs';

/**
 * `npm run bench:files -- [part]`: the cost of reading and storing files, compared with nginx in the same run if available
 * (`NGINX`, else /usr/sbin/nginx). Covers downloads with the access check, memory during 20 of them, the first page of
 * a folder with 10,000 files and the transferred size of its lists, an archive of these and one of large files, and
 * uploads of 100 MB, by form and as the page uploads (tus), and of 1 GB by tus. Downloads are also measured as nginx
 * sends them with SENDFILE. Prints figures with their limits. The part `lists` runs only the lists and archives,
 * `uploads` only the uploads, `downloads` only the downloads. Two parts run only if they are named: `s3` measures uploads
 * to a small S3 server, `large` the memory during the upload and download of one file of 10 GB (`BENCH_LARGE_GB`), for
 * which the folder for temporary files needs space.
 */
const MIB = 2 ** 20;
const [requestedPart] = process.argv.slice(2);
const PARTS = ['lists', 'uploads', 'downloads', 's3', 'large'];
if (requestedPart !== undefined && !PARTS.includes(requestedPart)) {
  throw new Error(`Unknown part: ${requestedPart}. The parts are ${PARTS.join(', ')}.`);
}
const DOWNLOAD_SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
/** Machines are never idle, so the best of several alternating rounds of the product and nginx is compared. */
const ROUNDS = 5;
const DOWNLOAD_BYTES = [10 * MIB, 100 * MIB - 4096];
const UPLOAD_BYTES = 100 * MIB - 4096;
const LARGE_BYTES = Number(process.env.BENCH_LARGE_GB ?? 10) * 2 ** 30;
/** Bytes of one request of an upload, as the page sends them. */
const PIECE_BYTES = 512 * MIB;
const workDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
// As root, PostgreSQL and nginx run under other accounts, which need to traverse the folder.
chmodSync(workDir, 0o711);

const { EmbeddedPostgres } = await import(`${root}dist/compiled/src/platform/database/embedded/embedded-postgres.js`);
const { connectionToUrl } = await import(`${root}dist/compiled/src/platform/database/pool/database-connection.js`);

function reportFigure(label, value, limit, unit, better = 'less') {
  const isMet = limit === null || (better === 'less' ? value <= limit : value >= limit);
  const target = limit === null ? '' : `${better === 'less' ? 'at most' : 'at least'} ${limit} ${unit}   `;
  console.log(
    `${label.padEnd(58)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(5)} ${target}${isMet ? 'ok' : 'MISSED'}`,
  );
}

/**
 * Compares downloads of one size with a server of Node.js that checks nothing and with nginx, alternating, so that all
 * meet the same conditions. The hand-over is judged with large files: a check of access takes longer than sendfile needs
 * for a small one.
 */
async function benchDownloads(client, file, { bare, nginx, handOver }) {
  const path = `/api/files/${file.id}/download`;
  const servers = {
    product: () => transferRate(client.url + path, DOWNLOAD_SECONDS, client.cookie),
    bare: () => transferRate(bare.url, DOWNLOAD_SECONDS),
    ...(nginx && {
      nginx: () => transferRate(`${nginx.url}/${file.size}.bin`, DOWNLOAD_SECONDS),
      handOver: () => transferRate(handOver.url + path, DOWNLOAD_SECONDS, client.cookie),
    }),
  };
  const best = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, measure] of Object.entries(servers)) best[name] = Math.max(best[name] ?? 0, await measure());
  }
  const isLarge = file.size > 50 * MIB;
  const label = `downloads of ${Math.round(file.size / MIB)} MB with the access check (best of ${ROUNDS})`;
  reportFigure(label, best.product / MIB, null, 'MB/s');
  reportFigure('  baseline: a server of Node.js without any check', best.bare / MIB, null, 'MB/s');
  reportFigure('  ratio to it', best.product / best.bare, null, '', 'more');
  if (!nginx) return;
  reportFigure('  baseline: nginx with sendfile', best.nginx / MIB, null, 'MB/s');
  reportFigure('  ratio to it', best.product / best.nginx, 0.5, '', 'more');
  reportFigure('  handed over to nginx (SENDFILE)', best.handOver / MIB, null, 'MB/s');
  reportFigure('  hand-over, ratio to nginx', best.handOver / best.nginx, isLarge ? 0.95 : null, '', 'more');
}

/** Measures how much a process's memory grows during `run`, in bytes. */
async function measureMemoryIncrease(pid, run) {
  const bytesBefore = residentBytes(pid);
  let peakBytes = bytesBefore;
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytes(pid))), 20);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return peakBytes - bytesBefore;
}

/** Reads a response completely and discards it. */
function fetchAndDiscard(client, path, { method = 'GET', body, pauseMs = 0 } = {}) {
  return new Promise((resolve, reject) => {
    const headers = { cookie: client.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const call = request(client.url + path, { method, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
        if (pauseMs === 0) return;
        response.pause();
        setTimeout(() => response.resume(), pauseMs);
      });
      response.on('end', () => (response.statusCode === 200 ? resolve(bytes) : reject(new Error(response.statusCode))));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** Uploads a multipart body with one file, generated while it is sent, with a browser's boundary. */
async function uploadForm(url, headers, bytes) {
  const boundary = `----WebKitFormBoundary${randomBytes(8).toString('hex')}`;
  const block = randomBytes(MIB);
  const name = `${randomBytes(6).toString('hex')}.bin`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const call = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + bytes + tail.length,
    },
  });
  const responseReceived = once(call, 'response');
  const startedAt = performance.now();
  call.write(head);
  for (let remaining = bytes; remaining > 0; remaining -= block.length) {
    if (!call.write(block.subarray(0, Math.min(remaining, block.length)))) await once(call, 'drain');
  }
  call.end(tail);
  const [response] = await responseReceived;
  response.resume();
  await once(response, 'end');
  if (response.statusCode >= 300) throw new Error(`${url}: ${response.statusCode}`);
  return performance.now() - startedAt;
}

/** Uploads a file as the page does: creates the upload, then sends the bytes, all in one request or in several. */
async function uploadWithTus({ url, cookie }, zone, bytes, requests = 1) {
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'tus-resumable': '1.0.0' };
  const toBase64 = (text) => Buffer.from(String(text)).toString('base64');
  const metadata = `filename ${toBase64(`${randomBytes(6).toString('hex')}.bin`)},zoneId ${toBase64(zone.id)}`;
  const startedAt = performance.now();
  const created = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes), 'upload-metadata': metadata },
  });
  const location = created.headers.get('location');
  if (!location) throw new Error(`tus: ${created.status} ${await created.text()}`);
  const block = randomBytes(MIB);
  for (let offset = 0; offset < bytes;) {
    const end = Math.min(bytes, offset + Math.ceil(bytes / requests));
    await sendTusBytes(url + location, headers, offset, end, block);
    offset = end;
  }
  return performance.now() - startedAt;
}

async function sendTusBytes(url, headers, offset, end, block) {
  const call = request(url, {
    method: 'PATCH',
    headers: {
      ...headers,
      'content-type': 'application/offset+octet-stream',
      'content-length': end - offset,
      'upload-offset': offset,
    },
  });
  const responseReceived = once(call, 'response');
  for (let remaining = end - offset; remaining > 0; remaining -= block.length) {
    if (!call.write(block.subarray(0, Math.min(remaining, block.length)))) await once(call, 'drain');
  }
  call.end();
  const [response] = await responseReceived;
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 204) throw new Error(`tus: ${response.statusCode}`);
}

/** Writes bytes as the product does, flushed but not hashed; returns milliseconds. */
async function writeToDisk(bytes) {
  const path = join(workDir, 'data/files/baseline');
  const block = randomBytes(512 * 1024);
  const startedAt = performance.now();
  const file = await open(path, 'wx');
  for (let remaining = bytes; remaining > 0; remaining -= block.length) {
    await file.write(block, 0, Math.min(remaining, block.length));
  }
  await file.datasync();
  await file.close();
  const time = performance.now() - startedAt;
  rmSync(path);
  return time;
}

/**
 * Measures the throughput of 1 GB in tus uploads, one after the other, each as large as a file may be, and the memory
 * that they add. The disk is the limit where it is slower.
 */
async function benchOneGigabyte(client, zone) {
  let rate = 0;
  let diskRate = 0;
  const memoryIncrease = await measureMemoryIncrease(product.child.pid, async () => {
    for (let round = 0; round < 2; round++) {
      const diskTimes = [];
      const startedAt = performance.now();
      for (let count = 0; count < 10; count++) await uploadWithTus(client, zone, UPLOAD_BYTES);
      rate = Math.max(rate, (10 * UPLOAD_BYTES * 1000) / (performance.now() - startedAt) / MIB);
      rmSync(join(workDir, 'data/files/files'), { recursive: true });
      for (let count = 0; count < 10; count++) diskTimes.push(await writeToDisk(UPLOAD_BYTES));
      const diskTime = diskTimes.reduce((sum, time) => sum + time, 0);
      diskRate = Math.max(diskRate, (10 * UPLOAD_BYTES * 1000) / diskTime / MIB);
    }
  });
  reportFigure('1 GB in ten tus uploads (best of 2)', rate, Math.min(350, Math.round(0.6 * diskRate)), 'MB/s', 'more');
  reportFigure('  baseline: written to the disk and flushed, not hashed', diskRate, null, 'MB/s');
  reportFigure('  memory added', memoryIncrease / MIB, 64, 'MiB');
}

/** Measures the upload of one large file in the pieces that the page sends, and its download. Memory must stay flat. */
async function benchLargeFile(client, zone) {
  await raiseStorageLimit();
  const { pid } = product.child;
  const label = `${LARGE_BYTES / 2 ** 30} GB`;
  const megabytesPerSecond = (startedAt) => (LARGE_BYTES / MIB) * (1000 / (performance.now() - startedAt));
  let rate;
  const uploadMemory = await measureMemoryIncrease(pid, async () => {
    const startedAt = performance.now();
    await uploadWithTus(client, zone, LARGE_BYTES, Math.ceil(LARGE_BYTES / PIECE_BYTES));
    rate = megabytesPerSecond(startedAt);
  });
  reportFigure(`${label} in one tus upload`, rate, null, 'MB/s');
  reportFigure('  memory added', uploadMemory / MIB, 64, 'MiB');
  const files = await (await client.call('GET', `/api/zones/${zone.id}/files`)).json();
  const file = files.find(({ size }) => size === LARGE_BYTES);
  const downloadMemory = await measureMemoryIncrease(pid, async () => {
    const startedAt = performance.now();
    const bytes = await fetchAndDiscard(client, `/api/files/${file.id}/download`);
    if (bytes !== LARGE_BYTES) throw new Error(`Received ${bytes} of ${LARGE_BYTES} bytes.`);
    rate = megabytesPerSecond(startedAt);
  });
  reportFigure(`${label} in one download`, rate, null, 'MB/s');
  reportFigure('  memory added', downloadMemory / MIB, 64, 'MiB');
}

/** Raises the plan's storage and size of a file: the uploads of all rounds are kept until the end. */
async function raiseStorageLimit() {
  const db = new pg.Client(connection);
  await db.connect();
  await db.query(`update users set plan = 'enterprise'`);
  await db.query(`update usage set allowed = 100 * ${2 ** 30}::bigint where metric = 'bytes'`);
  await db.end();
}

async function benchUploads(client, zone, nginx) {
  await raiseStorageLimit();
  const headers = { cookie: client.cookie, 'sec-fetch-site': 'same-origin' };
  const formTimes = [];
  const tusTimes = [];
  const resumedTimes = [];
  const nginxTimes = [];
  const hashTimes = [];
  const block = randomBytes(MIB);
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    const hash = createHash('sha256');
    for (let hashed = 0; hashed < UPLOAD_BYTES; hashed += MIB) hash.update(block);
    hash.digest();
    hashTimes.push(performance.now() - startedAt);
    formTimes.push(await uploadForm(`${client.url}/api/zones/${zone.id}/files`, headers, UPLOAD_BYTES));
    tusTimes.push(await uploadWithTus(client, zone, UPLOAD_BYTES));
    resumedTimes.push(await uploadWithTus(client, zone, UPLOAD_BYTES / 4, 4));
    // nginx deletes its upload as well, so both write to memory that the system has allocated before.
    rmSync(join(workDir, 'data/files/files'), { recursive: true });
    if (nginx) nginxTimes.push(await uploadForm(`${nginx.url}/upload`, {}, UPLOAD_BYTES));
  }
  const [formTime, tusTime, resumedTime, nginxTime, hashTime] = [
    formTimes,
    tusTimes,
    resumedTimes,
    nginxTimes,
    hashTimes,
  ].map((times) => Math.min(...times));
  reportFigure(`100 MB multipart upload, hashed and flushed (best of ${ROUNDS})`, formTime, null, 'ms');
  reportFigure(`100 MB tus upload, as the page sends it (best of ${ROUNDS})`, tusTime, null, 'ms');
  reportFigure('  SHA-256 of as many bytes alone', hashTime, null, 'ms');
  reportFigure(`25 MB tus upload in four requests (best of ${ROUNDS})`, resumedTime, null, 'ms');
  await benchOneGigabyte(client, zone);
  if (!nginx) return;
  reportFigure('  baseline: nginx, neither hashed nor flushed', nginxTime, null, 'ms');
  reportFigure('  multipart upload, ratio to the baseline', formTime / nginxTime, 1.8, '');
  reportFigure('  tus upload, ratio to the baseline', tusTime / nginxTime, 1.5, '');
}

/** Measures 100 MB of resumable uploads to a bucket. The server, which is a test tool, takes most of the time. */
async function benchBucketUploads(client, zone) {
  await raiseStorageLimit();
  for (const requests of [1, 4]) {
    const times = [];
    const memoryIncrease = await measureMemoryIncrease(product.child.pid, async () => {
      for (let round = 0; round < ROUNDS; round++)
        times.push(await uploadWithTus(client, zone, UPLOAD_BYTES, requests));
    });
    const label = `100 MB tus upload to S3, requests: ${requests} (best of ${ROUNDS})`;
    reportFigure(label, Math.min(...times), null, 'ms');
    reportFigure('  memory added', memoryIncrease / MIB, null, 'MiB');
  }
}

/** Inserts rows in one folder, with their objects, bypassing the API. */
async function fillFolder(connection, zoneId, folderId, { prefix, count, bytes }) {
  const db = new pg.Client(connection);
  await db.connect();
  await db.query(
    `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, folder_id,
       allow_download, created_at, updated_at)
     select 'File ' || n || '.txt', 'file ' || n || '.txt', 'text/plain', $4, repeat('0', 64),
       'files/' || $3::text || '/' || lpad(n::text, 40, '0'), 'local', $1, $2, true, now(), now() from generate_series(1, $5::int) n`,
    [zoneId, folderId, prefix, bytes.length, count],
  );
  await db.query('vacuum analyze files');
  await db.end();
  const objectDir = join(workDir, 'data/files/files', prefix);
  mkdirSync(objectDir, { recursive: true });
  for (let n = 1; n <= count; n++) writeFileSync(join(objectDir, String(n).padStart(40, '0')), bytes);
}

async function benchLists(client, zone, folderId) {
  for (const [label, query] of [
    ['first page (100)', 'limit=100'],
    ['first page (100) by size, descending', 'limit=100&sort=size&order=desc'],
    ['first 1,000', ''],
  ]) {
    const times = [];
    for (let n = 0; n < 30; n++) {
      const startedAt = performance.now();
      await fetchAndDiscard(client, `/api/zones/${zone.id}/files?folderId=${folderId}&${query}`);
      times.push(performance.now() - startedAt);
    }
    const sorted = times.slice(5).sort((a, b) => a - b);
    const limit = query === '' ? null : 30;
    reportFigure(`folder of 10,000 files: ${label}, median of 25`, sorted[12], limit, 'ms');
  }
}

/** Measures the transferred bytes of a response, and checks its encoding. */
function measureResponseSize(client, path, encoding) {
  return new Promise((resolve, reject) => {
    const headers = { cookie: client.cookie, 'accept-encoding': encoding };
    const call = request(client.url + path, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('end', () => {
        const receivedEncoding = response.headers['content-encoding'] ?? 'identity';
        if (receivedEncoding === encoding) resolve(bytes);
        else reject(new Error(`${path}: ${receivedEncoding} instead of ${encoding}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}

async function benchListSizes(client, zone, folderId) {
  for (const limit of [100, 1000]) {
    const path = `/api/zones/${zone.id}/files?folderId=${folderId}&limit=${limit}`;
    const plain = await measureResponseSize(client, path, 'identity');
    reportFigure(`list of ${limit} files, uncompressed`, plain / 1000, null, 'kB');
    for (const encoding of ['gzip', 'br']) {
      const bytes = await measureResponseSize(client, path, encoding);
      reportFigure(
        `  ${encoding}, compression ratio ${Math.round(plain / bytes)}`,
        bytes / 1000,
        plain / 1000 / 8,
        'kB',
      );
    }
  }
}

/** Measures an archive. Memory must not grow with its size, and hardly with its number of entries. */
async function benchArchive(client, pid, zone, folderId, label, limit, minimumRate = null) {
  const body = JSON.stringify({ folderIds: [folderId] });
  const times = [];
  let bytes = 0;
  const memoryIncrease = await measureMemoryIncrease(pid, async () => {
    for (let round = 0; round < (minimumRate === null ? 1 : ROUNDS); round++) {
      const startedAt = performance.now();
      bytes = await fetchAndDiscard(client, `/api/zones/${zone.id}/download`, { method: 'POST', body });
      times.push((performance.now() - startedAt) / 1000);
    }
  });
  const seconds = Math.min(...times);
  reportFigure(`zip of ${label}`, seconds, null, 's');
  if (minimumRate !== null)
    reportFigure(`  throughput (best of ${ROUNDS})`, bytes / MIB / seconds, minimumRate, 'MB/s', 'more');
  reportFigure(`  memory added meanwhile (${(bytes / MIB).toFixed(1)} MB sent)`, memoryIncrease / MIB, limit, 'MiB');
}

const postgres = new EmbeddedPostgres({ dataDir: join(workDir, 'postgres'), database: 'zonary' });
const connection = await postgres.start();
let product;
let nginx = null;
let s3 = null;
const env = {
  DATA_DIR: join(workDir, 'data'),
  DATABASE_URL: connectionToUrl(connection),
  APP_SECRET: randomBytes(32).toString('hex'),
};
try {
  nginx = await startNginx(workDir, workDir);
  if (!nginx) console.log('nginx is not installed: the baselines are left out.');
  if (requestedPart === 's3') s3 = await startS3Server(workDir);
  product = await startProduct({ ...env, ...s3?.env });
  const client = await registerUser(product.url, 'bench_files');
  const zone = await (await client.call('POST', '/api/zones', { name: 'Bench', type: 'private' })).json();
  const largeFolder = await (await client.call('POST', `/api/zones/${zone.id}/folders`, { name: 'Many' })).json();

  if (requestedPart === undefined) await benchTransfers(client, zone);
  if (requestedPart === 'downloads') await benchReads(client, zone);
  else if (requestedPart === 'uploads') await benchUploads(client, zone, nginx);
  else if (requestedPart === 's3') await benchBucketUploads(client, zone);
  else if (requestedPart === 'large') await benchLargeFile(client, zone);
  else await benchReading(client, zone, largeFolder);
} finally {
  await product?.stop();
  await nginx?.stop();
  await s3?.stop();
  await postgres.stop();
  rmSync(workDir, { recursive: true, force: true });
}

async function benchReading(client, zone, largeFolder) {
  await fillFolder(connection, zone.id, largeFolder.id, { prefix: '00', count: 10_000, bytes: Buffer.from('text') });
  await benchLists(client, zone, largeFolder.id);
  await benchListSizes(client, zone, largeFolder.id);
  await benchArchive(client, product.child.pid, zone, largeFolder.id, '10,000 files', 64);
  const folderOfLargeFiles = await (
    await client.call('POST', `/api/zones/${zone.id}/folders`, { name: 'Large' })
  ).json();
  await fillFolder(connection, zone.id, folderOfLargeFiles.id, {
    prefix: '01',
    count: 3,
    bytes: randomBytes(UPLOAD_BYTES),
  });
  await benchArchive(
    client,
    product.child.pid,
    zone,
    folderOfLargeFiles.id,
    '3 incompressible files of 100 MB',
    64,
    150,
  );
}

async function benchTransfers(client, zone) {
  await benchReads(client, zone);
  await benchUploads(client, zone, nginx);
}

async function benchReads(client, zone) {
  // A second process with the same files, so that both ways are measured in the same rounds.
  const second = nginx && (await startProduct({ ...env, ROLE: 'web', SENDFILE: 'x-accel:/protected/' }));
  const handOver = second && (await startHandOverNginx(workDir, second.url, join(workDir, 'data/files')));
  const files = [];
  try {
    for (const bytes of DOWNLOAD_BYTES) {
      await uploadForm(`${client.url}/api/zones/${zone.id}/files`, authHeaders(client), bytes);
      const file = (await (await client.call('GET', `/api/zones/${zone.id}/files`)).json()).find(
        ({ size }) => size === bytes,
      );
      files.push(file);
      const path = join(workDir, `${bytes}.bin`);
      writeFileSync(path, randomBytes(bytes), { mode: 0o644 });
      const bare = await startBareFileServer(path);
      try {
        await benchDownloads(client, file, { bare, nginx, handOver });
      } finally {
        await bare.stop();
      }
    }
  } finally {
    await handOver?.stop();
    await second?.stop();
  }
  const slowClient = { pauseMs: 5 };
  const memoryIncrease = await measureMemoryIncrease(product.child.pid, () =>
    Promise.all(
      Array.from({ length: 20 }, () => fetchAndDiscard(client, `/api/files/${files[0].id}/download`, slowClient)),
    ),
  );
  reportFigure('20 concurrent slow downloads: memory added', memoryIncrease / MIB, 64, 'MiB');
}

function authHeaders({ cookie }) {
  return { cookie, 'sec-fetch-site': 'same-origin' };
}
