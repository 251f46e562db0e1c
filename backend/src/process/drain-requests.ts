import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';

/**
 * Takes no new connections, lets requests under way end, and closes what is left after a while.
 * @param patience how long they may go on, in milliseconds
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
