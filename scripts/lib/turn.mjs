import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 200;

/**
 * Does some work while no other process does work on the same folder; waits for its turn.
 *
 * The turn is a listening address that only one process can hold and that the system takes back when the process ends,
 * even by kill -9, so that nothing is left over. It must work on Node 20 without any package, hence no file lock.
 * @param folder an existing folder
 * @param onWait called once when there is something to wait for
 */
export async function inTurn(folder, work, onWait = () => undefined) {
  const address = addressFor(realpathSync(folder));
  let server = await listen(address);
  for (let first = true; !server; first = false) {
    if (first) onWait();
    await pause(RETRY_MS);
    server = await listen(address);
  }
  try {
    return await work();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function addressFor(folder) {
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

/** Only where addresses are files (macOS) one can outlive its process: nobody answers there then. */
async function removeDeadSocket(address) {
  if (process.platform === 'linux' || process.platform === 'win32') return;
  const refused = await new Promise((resolve) => {
    const socket = connect(address, () => resolve(false)).on('error', (error) =>
      resolve(error.code === 'ECONNREFUSED'),
    );
    socket.on('close', () => socket.destroy());
  });
  if (refused) rmSync(address, { force: true });
}
