import type { IncomingMessage } from 'node:http';

/**
 * Discards the rest of a rejected body, so that the client can read the error. Closes the connection after `maxBytes`.
 */
export function drainRejectedBody(request: IncomingMessage, maxBytes: number): void {
  if (request.complete || request.destroyed) {
    request.setTimeout(0);
    return;
  }
  let drained = 0;
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > maxBytes) request.destroy();
  });
  request.on('end', () => request.setTimeout(0));
  request.resume();
}
