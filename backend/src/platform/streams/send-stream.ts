import type { Readable, Writable } from 'node:stream';
import { BackpressureWriter } from './backpressure-writer.js';

/**
 * Answers with all that a stream gives, and ends the answer. A fault in the middle ends the connection without the end of
 * the body, so that nobody takes it for the whole; a reader who leaves ends the source.
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
