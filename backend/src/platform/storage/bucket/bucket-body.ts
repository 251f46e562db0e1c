import { Readable } from 'node:stream';
import { BucketError, withStorageErrors } from './bucket-call.js';

/** Bytes buffered ahead of a slow client. */
const READ_AHEAD = 256 * 1024;

/**
 * Returns the body of a bucket's response as a stream.
 * @param chunks an iterator that is already bound to the response
 * @param idle how long a client may wait for the next chunk, in milliseconds; a slow client isn't the bucket's fault
 * @param close closes the connection; called when the stream ends or the client disconnects, also before it has read
 */
export function streamBody(chunks: AsyncIterator<Uint8Array>, idle: number, close: () => void): Readable {
  const stream = Readable.from(readChunks(chunks, idle), { objectMode: false, highWaterMark: READ_AHEAD });
  return stream.once('close', close);
}

async function* readChunks(chunks: AsyncIterator<Uint8Array>, idle: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await withStorageErrors(() => withReadTimeout(idle, chunks.next()));
    if (done) return;
    yield value;
  }
}

async function withReadTimeout<T>(limit: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BucketError('read', 200, 'stalled', false)), limit);
  });
  try {
    return await Promise.race([promise, timedOut]);
  } catch (error) {
    throw error instanceof BucketError ? error : new BucketError('read', 200, 'cut', false);
  } finally {
    clearTimeout(timer!);
  }
}
