import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { SLOW } from './findings.mjs';
import { elsewhere, judgeSignIns, registered, signingIn } from './browser.mjs';
import { watched } from './health-probe.mjs';
import { create, send, uploadTo } from './test-data.mjs';

const HALF_SENT = 2000;
const UNREAD = 100;
/** Longest acceptable sign-in meanwhile, in milliseconds. */
const MOST_SIGN_IN = 3000;
/** Seconds until an incomplete body, and an unread download, must be dropped: Node checks twice, a minute apart. */
const BODY_PATIENCE = 45;
const DOWNLOAD_PATIENCE = 150;
const FILE_SIZE = 24 * 1024 * 1024;

/** Opens a connection and sends an incomplete request; reads no response if `reads` is false. */
function hold(url, text, reads) {
  const { hostname, port } = new URL(url);
  const held = { closed: false };
  const socket = connect(Number(port), hostname, () => socket.write(text));
  if (reads) socket.resume();
  else socket.pause();
  const end = () => (held.closed = true);
  socket.on('close', end).on('error', end).on('end', end);
  return Object.assign(held, { socket });
}

/**
 * Number of our connections the server still holds. A client that doesn't read isn't told about the close, so the
 * system's socket table is checked for rows of the server's port with our ports.
 */
function heldByServer(url, connections) {
  const ours = new Set(connections.map(({ socket }) => socket.localPort));
  const server = Number(new URL(url).port);
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1));
  return rows.filter((row) => {
    const [, local, remote, state] = row.trim().split(/\s+/);
    return state === ESTABLISHED && portOf(local) === server && ours.has(portOf(remote));
  }).length;
}

const ESTABLISHED = '01';
const portOf = (address) => parseInt(address.split(':')[1], 16);

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const told = (at) => (at === null ? 'not at all' : `after ${at.toFixed(0)} s`);

/**
 * Opens all connections.
 * @throws Error if some failed, because the part would test nothing
 */
async function open(url, scene, fileId) {
  const { owner } = scene;
  const head = `Host: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":`;
  const half = Array.from({ length: HALF_SENT }, () => hold(url, `POST /api/login HTTP/1.1\r\n${head}`, true));
  const forwarded = elsewhere()['X-Forwarded-For'];
  const download = `GET /api/files/${fileId}/download HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${forwarded}\r\nCookie: ${owner.headers.Cookie}\r\n\r\n`;
  const unread = Array.from({ length: UNREAD }, () => hold(url, download, false));
  await sleep(3);
  const [halfHeld, unreadHeld] = [heldByServer(url, half), heldByServer(url, unread)];
  if (halfHeld !== HALF_SENT || unreadHeld !== UNREAD)
    throw new Error(`did not try: the server holds ${halfHeld} half-sent bodies and ${unreadHeld} unread downloads`);
  return { half, unread };
}

/** Connections that send half a body or read nothing of a download, while a user signs in. */
export async function slowConnections(url, dataDir, scene, findings) {
  const person = await registered(url, dataDir, 'attack_signing_in');
  // Other parts may have deleted their resources by now.
  const zone = await create(url, scene.owner.headers, '/api/zones', { name: 'Slow', type: 'private' });
  const { id } = await uploadTo(url, scene.owner, zone.id, 'large.bin', Buffer.alloc(FILE_SIZE, 7));
  const stop = signingIn(person, 1000);
  let [waited, gone] = ['', {}];
  const met = await watched('slow connections', url, findings, async () => {
    const begun = performance.now();
    const { half, unread } = await open(url, scene, id);
    gone = await watch(url, scene.owner, findings, begun, {
      half: () => half.every(({ closed }) => closed),
      unread: () => heldByServer(url, unread) === 0,
    });
    for (const { socket } of [...half, ...unread]) socket.destroy();
  }).finally(async () => (waited = judgeSignIns('slow connections', await stop(), MOST_SIGN_IN, findings)));
  console.log(
    `slow: ${HALF_SENT} half-sent bodies were ended ${told(gone.half)}, ${UNREAD} unread downloads ${told(gone.unread)}; ` +
      `${waited}; ${met}`,
  );
  if (gone.half === null || gone.half > BODY_PATIENCE)
    findings.add('slow connections', `half-sent bodies were ended ${told(gone.half)}`);
  if (gone.unread === null) findings.add('slow connections', 'unread downloads were not ended');
}

/**
 * Waits for conditions and checks meanwhile that other requests are answered.
 * @returns the seconds since `begun` after which each was met
 */
async function watch(url, owner, findings, begun, conditions) {
  const seconds = () => (performance.now() - begun) / 1000;
  const met = Object.fromEntries(Object.keys(conditions).map((name) => [name, null]));
  while (seconds() < DOWNLOAD_PATIENCE && Object.values(met).includes(null)) {
    await sleep(1);
    const answer = await send(url, 'GET', '/api/zones', { headers: { ...owner.headers, ...elsewhere() } });
    findings.count('slow connections, others meanwhile', answer);
    if (answer.status !== 200) findings.add('slow connections', `others get ${answer.status} meanwhile`);
    if (answer.ms > SLOW) findings.add('slow connections', `others wait ${Math.round(answer.ms)} ms meanwhile`);
    for (const [name, isMet] of Object.entries(conditions)) if (met[name] === null && isMet()) met[name] = seconds();
  }
  return met;
}
