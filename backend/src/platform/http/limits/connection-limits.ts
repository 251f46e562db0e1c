import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { MINUTE, SECOND } from '../../clock/clock.js';
import { UPLOAD_TIMEOUT, type HttpTimeouts } from './timeouts.js';

/** Limits connections: their number, the time for headers, and stalled clients. */
export function limitConnections(
  server: Server,
  maxConnections: number,
  timeouts: HttpTimeouts,
  logger: LoggerService,
): void {
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = UPLOAD_TIMEOUT;
  server.keepAliveTimeout = timeouts.idle;
  server.maxConnections = maxConnections;
  closeIdleWhenFull(server);
  logWhenFull(server, maxConnections, logger);
  closeStalledClients(server, timeouts.stalledClient);
}

/**
 * Closes idle keep-alive connections when the limit is reached, to make room for new requests. At most once a second,
 * because scanning all connections for each rejected one would cost what the limit saves.
 */
function closeIdleWhenFull(server: Server): void {
  let lastClosedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - lastClosedAt < SECOND) return;
    lastClosedAt = performance.now();
    server.closeIdleConnections();
  });
}

/** Logs rejected connections at most once a minute, because a line for each would cost what the limit saves. */
function logWhenFull(server: Server, maxConnections: number, logger: LoggerService): void {
  let [rejectedCount, loggedAt] = [0, Number.NEGATIVE_INFINITY];
  server.on('drop', () => {
    rejectedCount++;
    if (performance.now() - loggedAt < MINUTE) return;
    logger.warn(
      `Rejecting connections: ${maxConnections} are open (MAX_CONNECTIONS); ${rejectedCount} rejected since the last message.`,
    );
    [rejectedCount, loggedAt] = [0, performance.now()];
  });
}

/** Checks per stalled-client timeout; more checks make the timeout more exact. */
const CHECKS_PER_TIMEOUT = 6;

/**
 * Closes connections whose response is stalled because the client reads nothing. Progress is measured by the bytes
 * sent, including the operating system's buffer, so a client that only sends makes no progress either. Connections that
 * wait for our own work stay open.
 */
function closeStalledClients(server: Server, timeout: number): void {
  const answering = new Map<Socket, ClientProgress>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const client = answering.get(socket) ?? { responses: 0, progress: '', since: performance.now() };
    client.responses += 1;
    answering.set(socket, client);
    response.once('close', () => (client.responses -= 1) === 0 && answering.delete(socket));
  });
  const checkTimer = setInterval(() => {
    for (const [socket, client] of answering) if (stalledFor(socket, client) >= timeout) socket.destroy();
  }, timeout / CHECKS_PER_TIMEOUT).unref();
  server.once('close', () => clearInterval(checkTimer));
}

interface ClientProgress {
  /** Number of responses in progress on the connection. */
  responses: number;
  /** Progress at the last check, and since when it has been unchanged. */
  progress: string;
  since: number;
}

/** Returns how long no pending data was sent to the client, in milliseconds. */
function stalledFor(socket: Socket, client: ClientProgress): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } };
  const progress = `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
  if (socket.writableLength === 0 || progress !== client.progress)
    [client.progress, client.since] = [progress, performance.now()];
  return performance.now() - client.since;
}
