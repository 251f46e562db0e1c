import type { Readable, Writable } from 'node:stream';
import { BackpressureWriter } from './backpressure-writer.js';

/**
 * Sends a stream as the response, and ends it. If the source fails midway, the connection is closed without ending the
 * body, so that the client doesn't take it for complete. If the client disconnects, the source is destroyed.
 */
export async function sendStream(source: Readable, target: Writable): Promise<void> {
  const destroySource = () => source.destroy();
  target.once('close', destroySource);
  const writer = new BackpressureWriter(target);
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array | string>) {
      if (!(await writer.write(chunk))) return;
    }
    target.end();
  } catch {
    target.destroy();
  } finally {
    writer.stop();
    target.off('close', destroySource);
  }
}
