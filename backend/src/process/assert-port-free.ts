import { once } from 'node:events';
import { createServer } from 'node:net';
import type { readVariables } from '../platform/config/read-variables.js';

/**
 * Checks that the port of this process is free, before anything is made: the application only listens once the data
 * folder, the secret and the database are there.
 * @throws EADDRINUSE and others, as the server does
 */
export async function assertPortFree(
  values: Pick<ReturnType<typeof readVariables>, 'role' | 'port' | 'workerPort'>,
): Promise<void> {
  // The worker of `ROLE=all` does not listen.
  const port = values.role === 'worker' ? process.send === undefined && values.workerPort : values.port;
  if (!port) return;
  const server = createServer().listen(port);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
