import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { MINUTE, SECOND } from '../../clock/clock.js';
import { UPLOAD_PATIENCE, type Patience } from './patience.js';

/** Bounds what connections may hold: their number, the time of their headers, and readers who take nothing. */
export function boundConnections(server: Server, most: number, patience: Patience, logger: LoggerService): void {
  server.headersTimeout = patience.headers;
  server.requestTimeout = UPLOAD_PATIENCE;
  server.keepAliveTimeout = patience.idle;
  server.maxConnections = most;
  makeRoomWhenFull(server);
  sayWhenFull(server, most, logger);
  endStalledReaders(server, patience.reader);
}

/**
 * Who only waits for a next request gives place to who has one. At most once a second: looking through all connections at
 * each one that is refused would cost what the bound saves.
 */
function makeRoomWhenFull(server: Server): void {
  let made = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - made < SECOND) return;
    made = performance.now();
    server.closeIdleConnections();
  });
}

/** Says that connections are refused, at most once a minute: each line would otherwise cost what the bound saves. */
function sayWhenFull(server: Server, most: number, logger: LoggerService): void {
  let [refused, said] = [0, Number.NEGATIVE_INFINITY];
  server.on('drop', () => {
    refused++;
    if (performance.now() - said < MINUTE) return;
    logger.warn(
      `Connections are refused: ${most} are open (MAX_CONNECTIONS); ${refused} refused since this was said last.`,
    );
    [refused, said] = [0, performance.now()];
  });
}

/** How often readers are looked at while they have patience, so that none has much more of it. */
const LOOKS = 6;

/**
 * Ends connections on which an answer waits for a reader who takes nothing of it. What counts is what has left for the
 * reader, of what the system still holds as well: somebody who only sends meanwhile takes nothing either. An answer that
 * waits for our own work stays open.
 */
function endStalledReaders(server: Server, patience: number): void {
  const answering = new Map<Socket, Reader>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const reader = answering.get(socket) ?? { answers: 0, taken: '', since: performance.now() };
    reader.answers += 1;
    answering.set(socket, reader);
    response.once('close', () => (reader.answers -= 1) === 0 && answering.delete(socket));
  });
  const looks = setInterval(() => {
    for (const [socket, reader] of answering) if (silence(socket, reader) >= patience) socket.destroy();
  }, patience / LOOKS).unref();
  server.once('close', () => clearInterval(looks));
}

interface Reader {
  /** Those under way on its connection. */
  answers: number;
  /** What had left at the last look, and since when it is that. */
  taken: string;
  since: number;
}

/** How long nothing has left of what waits for a reader, in milliseconds. */
function silence(socket: Socket, reader: Reader): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } };
  const taken = `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
  if (socket.writableLength === 0 || taken !== reader.taken) [reader.taken, reader.since] = [taken, performance.now()];
  return performance.now() - reader.since;
}
