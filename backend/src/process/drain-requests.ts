import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';

/**
 * Stops accepting connections, lets running requests finish, and closes the rest after a timeout.
 * @param timeout how long requests may continue, in milliseconds
 */
export async function drainRequests(app: NestExpressApplication, timeout: number): Promise<void> {
  const server = app.getHttpServer() as Server;
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), timeout);
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearTimeout(timer);
  clearInterval(idle);
}
