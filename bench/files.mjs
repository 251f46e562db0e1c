import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { transferRate } from './lib/transfer-rate.mjs';
import { startNginx } from './lib/nginx.mjs';
import { registerUser, residentBytes, root, startProduct } from './lib/product.mjs';

/**
 * `npm run bench:files`: the cost of reading and storing files, compared with nginx in the same run if available
 * (`NGINX`, else /usr/sbin/nginx). Covers downloads with the access check, memory during 20 of them, the first page of
 * a folder with 10,000 files and the transferred size of its lists, an archive of these and one of large files, and
 * uploads of 100 MB, by form and as the page uploads (tus). Prints figures with their limits. `npm run bench:files
 * lists` runs only the lists and archives, `npm run bench:files uploads` only the uploads.
 */
const MIB = 2 ** 20;
const [only] = process.argv.slice(2);
if (only !== undefined && only !== 'lists' && only !== 'uploads') {
  throw new Error('What is there beside all of it: lists, uploads');
}
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
/** Machines are never idle, so the best of several alternating rounds of ours and nginx's is compared. */
const ROUNDS = 5;
const FILE = 10 * MIB;
const UPLOAD = 100 * MIB - 4096;
const folder = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
// As root, PostgreSQL and nginx run under other accounts, which need to traverse the folder.
chmodSync(folder, 0o711);

const { EmbeddedPostgres } = await import(`${root}dist/backend/src/platform/database/embedded/embedded-postgres.js`);
const { connectionToUrl } = await import(`${root}dist/backend/src/platform/database/pool/database-connection.js`);

function report(what, value, limit, unit, better = 'less') {
  const good = limit === null || (better === 'less' ? value <= limit : value >= limit);
  const bound = limit === null ? '' : `${better === 'less' ? 'at most' : 'at least'} ${limit} ${unit}   `;
  console.log(`${what.padEnd(58)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(5)} ${bound}${good ? 'ok' : 'MISSED'}`);
}

/** Downloads compared with nginx, alternating, so that both meet the same conditions. */
async function downloads(client, file, nginx) {
  const address = `${client.url}/api/files/${file.id}/download`;
  const ours = [];
  const theirs = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await transferRate(address, SECONDS, client.cookie));
    if (nginx) theirs.push(await transferRate(`${nginx.url}/file.bin`, SECONDS));
  }
  const [our, their] = [Math.max(...ours), Math.max(...theirs)];
  report(`downloads of 10 MB with the check of access (best of ${ROUNDS})`, our / MIB, null, 'MB/s');
  if (!nginx) return;
  report('the same by nginx with sendfile', their / MIB, null, 'MB/s');
  report('  ours as a part of nginx’s', our / their, 0.6, '', 'more');
}

/** How much a process's memory grows during `run`, in bytes. */
async function rise(pid, run) {
  const before = residentBytes(pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentBytes(pid))), 20);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return most - before;
}

/** Reads a response completely and discards it. */
function drain(client, path, { method = 'GET', body, pauseMs = 0 } = {}) {
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
async function upload(url, headers, bytes) {
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
  const answered = once(call, 'response');
  const begun = performance.now();
  call.write(head);
  for (let left = bytes; left > 0; left -= block.length) {
    if (!call.write(block.subarray(0, Math.min(left, block.length)))) await once(call, 'drain');
  }
  call.end(tail);
  const [response] = await answered;
  response.resume();
  await once(response, 'end');
  if (response.statusCode >= 300) throw new Error(`${url}: ${response.statusCode}`);
  return performance.now() - begun;
}

/** Uploads a file as the page does: creates the upload, then sends the bytes in one request. */
async function uploadByTus({ url, cookie }, zone, bytes) {
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'tus-resumable': '1.0.0' };
  const encoded = (text) => Buffer.from(String(text)).toString('base64');
  const metadata = `filename ${encoded(`${randomBytes(6).toString('hex')}.bin`)},zoneId ${encoded(zone.id)}`;
  const begun = performance.now();
  const created = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes), 'upload-metadata': metadata },
  });
  const block = randomBytes(MIB);
  const call = request(url + created.headers.get('location'), {
    method: 'PATCH',
    headers: {
      ...headers,
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes,
      'upload-offset': 0,
    },
  });
  const answered = once(call, 'response');
  for (let left = bytes; left > 0; left -= block.length) {
    if (!call.write(block.subarray(0, Math.min(left, block.length)))) await once(call, 'drain');
  }
  call.end();
  const [response] = await answered;
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 204) throw new Error(`tus: ${response.statusCode}`);
  return performance.now() - begun;
}

async function uploads(client, zone, nginx) {
  const headers = { cookie: client.cookie, 'sec-fetch-site': 'same-origin' };
  const ours = [];
  const tus = [];
  const theirs = [];
  const hashing = [];
  const block = randomBytes(MIB);
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    const hash = createHash('sha256');
    for (let at = 0; at < UPLOAD; at += MIB) hash.update(block);
    hash.digest();
    hashing.push(performance.now() - begun);
    ours.push(await upload(`${client.url}/api/zones/${zone.id}/files`, headers, UPLOAD));
    tus.push(await uploadByTus(client, zone, UPLOAD));
    // nginx deletes its upload as well, so both write to memory that the system has allocated before.
    rmSync(join(folder, 'data/files/files'), { recursive: true });
    if (nginx) theirs.push(await upload(`${nginx.url}/upload`, {}, UPLOAD));
  }
  const [our, byTus, their, hash] = [ours, tus, theirs, hashing].map((times) => Math.min(...times));
  report(`100 MB multipart upload, hashed and flushed (best of ${ROUNDS})`, our, null, 'ms');
  report(`100 MB as the page sends them, by tus (best of ${ROUNDS})`, byTus, null, 'ms');
  report('  SHA-256 of as many bytes alone', hash, null, 'ms');
  if (!nginx) return;
  report('the same body to the disk by nginx, neither of both', their, null, 'ms');
  report('  ours as a multiple of nginx’s', our / their, 1.8, '');
  report('  the page’s way as a multiple of nginx’s', byTus / their, null, '');
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
  const place = join(folder, 'data/files/files', prefix);
  mkdirSync(place, { recursive: true });
  for (let n = 1; n <= count; n++) writeFileSync(join(place, String(n).padStart(40, '0')), bytes);
}

async function lists(client, zone, folderId) {
  for (const [what, query] of [
    ['first page (100)', 'limit=100'],
    ['first page (100) by size, descending', 'limit=100&sort=size&order=desc'],
    ['first 1,000', ''],
  ]) {
    const times = [];
    for (let n = 0; n < 30; n++) {
      const begun = performance.now();
      await drain(client, `/api/zones/${zone.id}/files?folderId=${folderId}&${query}`);
      times.push(performance.now() - begun);
    }
    const sorted = times.slice(5).sort((a, b) => a - b);
    const limit = query === '' ? null : 30;
    report(`folder of 10,000 files: ${what}, median of 25`, sorted[12], limit, 'ms');
  }
}

/** Transferred bytes of a response, and its encoding. */
function sizeOf(client, path, encoding) {
  return new Promise((resolve, reject) => {
    const headers = { cookie: client.cookie, 'accept-encoding': encoding };
    const call = request(client.url + path, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('end', () => {
        const got = response.headers['content-encoding'] ?? 'identity';
        if (got === encoding) resolve(bytes);
        else reject(new Error(`${path}: ${got} in the place of ${encoding}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}

async function sizes(client, zone, folderId) {
  for (const limit of [100, 1000]) {
    const path = `/api/zones/${zone.id}/files?folderId=${folderId}&limit=${limit}`;
    const plain = await sizeOf(client, path, 'identity');
    report(`a list of ${limit} files as it is`, plain / 1000, null, 'kB');
    for (const encoding of ['gzip', 'br']) {
      const bytes = await sizeOf(client, path, encoding);
      report(`  by ${encoding}, a ${Math.round(plain / bytes)}th`, bytes / 1000, plain / 1000 / 8, 'kB');
    }
  }
}

/** Memory must not grow with an archive's size, and hardly with its number of entries. */
async function zip(client, pid, zone, folderId, what, limit, least = null) {
  const body = JSON.stringify({ folderIds: [folderId] });
  const times = [];
  let bytes = 0;
  const risen = await rise(pid, async () => {
    for (let round = 0; round < (least === null ? 1 : ROUNDS); round++) {
      const begun = performance.now();
      bytes = await drain(client, `/api/zones/${zone.id}/download`, { method: 'POST', body });
      times.push((performance.now() - begun) / 1000);
    }
  });
  const seconds = Math.min(...times);
  report(`zip of ${what}`, seconds, null, 's');
  if (least !== null) report(`  as they are (best of ${ROUNDS})`, bytes / MIB / seconds, least, 'MB/s', 'more');
  report(`  rise of memory meanwhile (${(bytes / MIB).toFixed(1)} MB sent)`, risen / MIB, limit, 'MiB');
}

const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'postgres'), database: 'zonary' });
const connection = await postgres.start();
let product;
let nginx = null;
try {
  nginx = await startNginx(folder, FILE);
  if (!nginx) console.log('There is no nginx here: its figures are left out.');
  product = await startProduct({
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: connectionToUrl(connection),
    APP_SECRET: randomBytes(32).toString('hex'),
  });
  const client = await registerUser(product.url, 'bench_files');
  const zone = await (await client.call('POST', '/api/zones', { name: 'Bench', type: 'private' })).json();
  const many = await (await client.call('POST', `/api/zones/${zone.id}/folders`, { name: 'Many' })).json();
  await upload(`${client.url}/api/zones/${zone.id}/files`, headersOf(client), FILE);
  const [file] = await (await client.call('GET', `/api/zones/${zone.id}/files`)).json();

  if (only === undefined) await transfers(client, file, zone);
  if (only === 'uploads') await uploads(client, zone, nginx);
  else await readings(client, zone, many);
} finally {
  await product?.stop();
  await nginx?.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function readings(client, zone, many) {
  await fillFolder(connection, zone.id, many.id, { prefix: '00', count: 10_000, bytes: Buffer.from('text') });
  await lists(client, zone, many.id);
  await sizes(client, zone, many.id);
  await zip(client, product.child.pid, zone, many.id, '10,000 files', 64);
  const large = await (await client.call('POST', `/api/zones/${zone.id}/folders`, { name: 'Large' })).json();
  await fillFolder(connection, zone.id, large.id, { prefix: '01', count: 3, bytes: randomBytes(UPLOAD) });
  await zip(client, product.child.pid, zone, large.id, '3 files of 100 MB that are compressed already', 64, 150);
}

async function transfers(client, file, zone) {
  await downloads(client, file, nginx);
  const slow = { pauseMs: 5 };
  const risen = await rise(product.child.pid, () =>
    Promise.all(Array.from({ length: 20 }, () => drain(client, `/api/files/${file.id}/download`, slow))),
  );
  report('20 slow downloads at once: rise of memory', risen / MIB, 64, 'MiB');
  await uploads(client, zone, nginx);
}

function headersOf({ cookie }) {
  return { cookie, 'sec-fetch-site': 'same-origin' };
}
