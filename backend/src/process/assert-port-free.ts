import { once } from 'node:events';
import { createServer } from 'node:net';
import type { readVariables } from '../platform/config/read-variables.js';

/**
 * Checks that this process's port is free before anything is created, because the application only listens after the
 * data folder, the secret and the database exist.
 * @throws EADDRINUSE and other errors of `listen`
 */
export async function assertPortFree(
  values: Pick<ReturnType<typeof readVariables>, 'role' | 'port' | 'workerPort'>,
): Promise<void> {
  // The worker of `ROLE=all` doesn't listen.
  const port = values.role === 'worker' ? process.send === undefined && values.workerPort : values.port;
  if (!port) return;
  const server = createServer().listen(port);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
