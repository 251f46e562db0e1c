import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the kernel's ephemeral ports, so that no outgoing connection takes the port while its server is down. */
const FIRST_PORT = 20_000;
/** Ports reserved for each process; processes that run side by side have close ids. */
const PORTS_PER_PROCESS = 10;
const PROCESS_SLOTS = 1000;

let nextOffset = 0;

/** Returns a loopback port for a server that stops and restarts; nothing else gets it meanwhile. */
export async function reservePort(): Promise<number> {
  for (let attempt = 0; attempt < PORTS_PER_PROCESS; attempt++) {
    const port = FIRST_PORT + (process.pid % PROCESS_SLOTS) * PORTS_PER_PROCESS + (nextOffset++ % PORTS_PER_PROCESS);
    if (await isPortFree(port)) return port;
  }
  throw new Error('All ports of this process are in use.');
}

async function isPortFree(port: number): Promise<boolean> {
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
