import type { Readable, Writable } from 'node:stream';
import { PacedWriter } from './paced-writer.js';

/**
 * Answers with all that a stream gives, and ends the answer. A fault in the middle ends the connection without the end of
 * the body, so that nobody takes it for the whole; a reader who leaves ends the source.
 */
export async function sendStream(source: Readable, target: Writable): Promise<void> {
  const leave = () => source.destroy();
  target.once('close', leave);
  const writer = new PacedWriter(target);
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array | string>) {
      if (!(await writer.write(chunk))) return;
    }
    target.end();
  } catch {
    target.destroy();
  } finally {
    writer.release();
    target.off('close', leave);
  }
}
