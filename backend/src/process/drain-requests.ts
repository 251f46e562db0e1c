import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** How long requests under way may go on, in milliseconds. */
const PATIENCE = 8000;

/** Takes no new connections, lets requests under way end, and closes what is left after a while. */
export async function drainRequests(app: NestExpressApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), PATIENCE);
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearTimeout(timer);
  clearInterval(idle);
}
