import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { SLOW_MS } from './findings.mjs';
import { newNetworkHeaders, reportSignIns, registerUser, startRepeatedSignIns } from './browser.mjs';
import { withHealthProbe } from './health-probe.mjs';
import { createResource, send, uploadFile } from './test-data.mjs';

const INCOMPLETE_REQUESTS = 2000;
const UNREAD_DOWNLOADS = 100;
/** Longest acceptable sign-in meanwhile, in milliseconds. */
const SIGN_IN_LIMIT_MS = 3000;
/** Seconds until an incomplete body, and an unread download, must be dropped: Node checks twice, a minute apart. */
const BODY_LIMIT_SECONDS = 45;
const DOWNLOAD_LIMIT_SECONDS = 150;
const FILE_SIZE = 24 * 1024 * 1024;

/** Opens a connection and sends a text; reads no response if `readsResponse` is false. */
function openConnection(url, text, readsResponse) {
  const { hostname, port } = new URL(url);
  const state = { isClosed: false };
  const socket = connect(Number(port), hostname, () => socket.write(text));
  if (readsResponse) socket.resume();
  else socket.pause();
  const markClosed = () => (state.isClosed = true);
  socket.on('close', markClosed).on('error', markClosed).on('end', markClosed);
  return Object.assign(state, { socket });
}

/**
 * Counts the connections of this process that the server still holds. A client that doesn't read isn't notified of the
 * close, so the system's socket table is searched for rows of the server's port with the client's ports.
 */
function countHeldByServer(url, connections) {
  const ownPorts = new Set(connections.map(({ socket }) => socket.localPort));
  const server = Number(new URL(url).port);
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1));
  return rows.filter((row) => {
    const [, local, remote, state] = row.trim().split(/\s+/);
    return state === ESTABLISHED && portOf(local) === server && ownPorts.has(portOf(remote));
  }).length;
}

const ESTABLISHED = '01';
const portOf = (address) => parseInt(address.split(':')[1], 16);

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const formatSeconds = (seconds) => (seconds === null ? 'not at all' : `after ${seconds.toFixed(0)} s`);

/**
 * Opens all connections.
 * @throws Error if some failed, because the part would test nothing
 */
async function openConnections(url, testData, fileId) {
  const { owner } = testData;
  const rest = `Host: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":`;
  const incomplete = Array.from({ length: INCOMPLETE_REQUESTS }, () =>
    openConnection(url, `POST /api/login HTTP/1.1\r\n${rest}`, true),
  );
  const forwarded = newNetworkHeaders()['X-Forwarded-For'];
  const download = `GET /api/files/${fileId}/download HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${forwarded}\r\nCookie: ${owner.headers.Cookie}\r\n\r\n`;
  const unread = Array.from({ length: UNREAD_DOWNLOADS }, () => openConnection(url, download, false));
  await sleep(3);
  const [incompleteHeld, unreadHeld] = [countHeldByServer(url, incomplete), countHeldByServer(url, unread)];
  if (incompleteHeld !== INCOMPLETE_REQUESTS || unreadHeld !== UNREAD_DOWNLOADS)
    throw new Error(
      `precondition failed: the server holds ${incompleteHeld} incomplete bodies and ${unreadHeld} unread downloads`,
    );
  return { incomplete, unread };
}

/** Opens connections that send half a body or read nothing of a download, while a user signs in repeatedly. */
export async function testSlowConnections(url, dataDir, testData, findings) {
  const user = await registerUser(url, dataDir, 'attack_signing_in');
  // Other parts may have deleted their resources by now.
  const zone = await createResource(url, testData.owner.headers, '/api/zones', { name: 'Slow', type: 'private' });
  const { id } = await uploadFile(url, testData.owner, zone.id, 'large.bin', Buffer.alloc(FILE_SIZE, 7));
  const stop = startRepeatedSignIns(user, 1000);
  let [signIns, closedAfter] = ['', {}];
  const probeResult = await withHealthProbe('slow-connections', url, findings, async () => {
    const startedAt = performance.now();
    const { incomplete, unread } = await openConnections(url, testData, id);
    closedAfter = await watchConditions(url, testData.owner, findings, startedAt, {
      incomplete: () => incomplete.every(({ isClosed }) => isClosed),
      unread: () => countHeldByServer(url, unread) === 0,
    });
    for (const { socket } of [...incomplete, ...unread]) socket.destroy();
  }).finally(async () => (signIns = reportSignIns('slow-connections', await stop(), SIGN_IN_LIMIT_MS, findings)));
  console.log(
    `slow-connections: ${INCOMPLETE_REQUESTS} incomplete bodies were closed ${formatSeconds(closedAfter.incomplete)}, ${UNREAD_DOWNLOADS} unread downloads ${formatSeconds(closedAfter.unread)}; ` +
      `${signIns}; ${probeResult}`,
  );
  if (closedAfter.incomplete === null || closedAfter.incomplete > BODY_LIMIT_SECONDS)
    findings.add('slow-connections', `incomplete bodies were closed ${formatSeconds(closedAfter.incomplete)}`);
  if (closedAfter.unread === null) findings.add('slow-connections', 'unread downloads were not closed');
}

/**
 * Waits for conditions and checks meanwhile that other requests succeed.
 * @returns the seconds since `startedAt` after which each was met; null if it wasn't
 */
async function watchConditions(url, owner, findings, startedAt, conditions) {
  const seconds = () => (performance.now() - startedAt) / 1000;
  const metAfter = Object.fromEntries(Object.keys(conditions).map((name) => [name, null]));
  while (seconds() < DOWNLOAD_LIMIT_SECONDS && Object.values(metAfter).includes(null)) {
    await sleep(1);
    const response = await send(url, 'GET', '/api/zones', { headers: { ...owner.headers, ...newNetworkHeaders() } });
    findings.count('slow-connections, other requests', response);
    if (response.status !== 200) findings.add('slow-connections', `another request got ${response.status} meanwhile`);
    if (response.ms > SLOW_MS)
      findings.add('slow-connections', `another request took ${Math.round(response.ms)} ms meanwhile`);
    for (const [name, isMet] of Object.entries(conditions))
      if (metAfter[name] === null && isMet()) metAfter[name] = seconds();
  }
  return metAfter;
}
