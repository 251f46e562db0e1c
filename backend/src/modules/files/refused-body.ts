import type { IncomingMessage } from 'node:http';

/** What a refused sender may still send before it is cut off: until then it can read why it was refused. */
const DRAINED_BYTES = 256 * 1024 * 1024;

/** Throws away what a sender still sends after it was answered, within bounds. */
export function drainRefused(request: IncomingMessage): void {
  if (request.complete) request.setTimeout(0);
  if (request.complete || request.destroyed) return;
  let drained = 0;
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAINED_BYTES) request.destroy();
  });
  request.resume();
}
