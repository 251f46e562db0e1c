import type { IncomingMessage } from 'node:http';

/**
 * Throws away what a sender still sends after it was refused, so that it gets to read why. One that sends more than so
 * many bytes is cut off.
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
