import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { MINUTE, SECOND } from '../../clock/clock.js';
import { UPLOAD_TIMEOUT, type HttpTimeouts } from './timeouts.js';

/** Bounds what connections may hold: their number, the time of their headers, and readers who take nothing. */
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
  closeStalledReaders(server, timeouts.reader);
}

/**
 * Who only waits for a next request gives place to who has one. At most once a second: looking through all connections at
 * each one that is refused would cost what the bound saves.
 */
function closeIdleWhenFull(server: Server): void {
  let lastClosedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - lastClosedAt < SECOND) return;
    lastClosedAt = performance.now();
    server.closeIdleConnections();
  });
}

/** Says that connections are refused, at most once a minute: each line would otherwise cost what the bound saves. */
function logWhenFull(server: Server, maxConnections: number, logger: LoggerService): void {
  let [refused, loggedAt] = [0, Number.NEGATIVE_INFINITY];
  server.on('drop', () => {
    refused++;
    if (performance.now() - loggedAt < MINUTE) return;
    logger.warn(
      `Connections are refused: ${maxConnections} are open (MAX_CONNECTIONS); ${refused} refused since this was said last.`,
    );
    [refused, loggedAt] = [0, performance.now()];
  });
}

/** How often readers are looked at while they have patience, so that none has much more of it. */
const CHECKS_PER_TIMEOUT = 6;

/**
 * Ends connections on which an answer waits for a reader who takes nothing of it. What counts is what has left for the
 * reader, of what the system still holds as well: somebody who only sends meanwhile takes nothing either. An answer that
 * waits for our own work stays open.
 */
function closeStalledReaders(server: Server, timeout: number): void {
  const answering = new Map<Socket, ReaderProgress>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const reader = answering.get(socket) ?? { responses: 0, progress: '', since: performance.now() };
    reader.responses += 1;
    answering.set(socket, reader);
    response.once('close', () => (reader.responses -= 1) === 0 && answering.delete(socket));
  });
  const checkTimer = setInterval(() => {
    for (const [socket, reader] of answering) if (stalledFor(socket, reader) >= timeout) socket.destroy();
  }, timeout / CHECKS_PER_TIMEOUT).unref();
  server.once('close', () => clearInterval(checkTimer));
}

interface ReaderProgress {
  /** Those under way on its connection. */
  responses: number;
  /** What had left at the last look, and since when it is that. */
  progress: string;
  since: number;
}

/** How long nothing has left of what waits for a reader, in milliseconds. */
function stalledFor(socket: Socket, reader: ReaderProgress): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } };
  const progress = `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
  if (socket.writableLength === 0 || progress !== reader.progress)
    [reader.progress, reader.since] = [progress, performance.now()];
  return performance.now() - reader.since;
}
