import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the kernel gives to connections, which would take one over while its server is away. */
const FIRST = 20_000;
/** How many ports each process has to itself; processes that run side by side have ids near each other. */
const SHARE = 10;
const PROCESSES = 1000;

let next = 0;

/** A port of loopback for a server that goes and comes back: nobody else is given it meanwhile. */
export async function ownPort(): Promise<number> {
  for (let tries = 0; tries < SHARE; tries++) {
    const port = FIRST + (process.pid % PROCESSES) * SHARE + (next++ % SHARE);
    if (await isFree(port)) return port;
  }
  throw new Error('All ports of this process are in use.');
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
