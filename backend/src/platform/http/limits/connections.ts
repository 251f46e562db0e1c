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

/**
 * Ends connections on which an answer waits for a reader who takes nothing of it. Node counts a connection as silent when
 * neither side moves a byte, also of what the system still holds; one that waits for our own work stays open.
 */
function endStalledReaders(server: Server, patience: number): void {
  const answering = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number) => answering.set(socket, (answering.get(socket) ?? 0) + change);
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
    socket.setTimeout(patience);
  });
  server.on('timeout', (socket: Socket) => {
    const works = (answering.get(socket) ?? 0) > 0 && socket.writableLength === 0;
    if (works) socket.setTimeout(patience);
    else socket.destroy();
  });
}
