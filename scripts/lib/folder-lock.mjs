import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_INTERVAL_MS = 200;

/**
 * Runs `callback` while no other process holds the lock of the same folder; waits if necessary. The lock is a listening address that
 * only one process can hold. The system releases it when the process ends, even after kill -9, so nothing is left
 * behind. It must work on Node 20 without packages, hence no file lock.
 * @param folder an existing folder
 * @param onWait called once if it has to wait
 */
export async function withFolderLock(folder, callback, onWait = () => undefined) {
  const address = toLockAddress(realpathSync(folder));
  let server = await listen(address);
  for (let isFirst = true; !server; isFirst = false) {
    if (isFirst) onWait();
    await sleep(RETRY_INTERVAL_MS);
    server = await listen(address);
  }
  try {
    return await callback();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function toLockAddress(folder) {
  const name = `zonary-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), name);
}

async function listen(address) {
  const server = createServer((socket) => socket.destroy());
  const error = await new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(address, () => resolve(null));
  });
  if (!error) return server.unref();
  if (error.code !== 'EADDRINUSE') throw error;
  await removeDeadSocket(address);
  return null;
}

/** Only where addresses are files (macOS) can one outlive its process; then nobody accepts connections there. */
async function removeDeadSocket(address) {
  if (process.platform === 'linux' || process.platform === 'win32') return;
  const isDead = await new Promise((resolve) => {
    const socket = connect(address, () => resolve(false)).on('error', (error) =>
      resolve(error.code === 'ECONNREFUSED'),
    );
    socket.on('close', () => socket.destroy());
  });
  if (isDead) rmSync(address, { force: true });
}
