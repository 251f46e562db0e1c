import { commonErrors } from '../errors/common.errors.js';

/**
 * The pieces of a stream, whose memory is given back as soon as the next one is asked for: a network brings each in memory
 * of its own, and left to be collected it would have the whole heap collected with it, many times for a large file.
 * Nobody else may hold on to them.
 */
export async function* consumeChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    yield piece;
    // Only when all of the memory is this piece's: small ones share theirs with others.
    if (piece.byteLength === piece.buffer.byteLength) (piece.buffer as ArrayBuffer).transfer(0);
  }
}

/** When a client that is sent away may come back, in seconds: to another process, or to this one after its start. */
const RETRY_AFTER = 2;

/**
 * The bytes of a source until this process stops; then it breaks off, and the client is told to come back. What has come
 * is kept, and the upload goes on from there.
 * @throws SERVICE_UNAVAILABLE with Retry-After
 */
export async function* stopOnShutdown(
  source: AsyncIterable<Uint8Array>,
  draining: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = source[Symbol.asyncIterator]();
  let away = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    away = () => reject(commonErrors.SERVICE_UNAVAILABLE({}, { retryAfter: RETRY_AFTER }));
    if (draining.aborted) away();
    else draining.addEventListener('abort', away, { once: true });
  });
  stopped.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await Promise.race([bytes.next(), stopped]);
      if (done) return;
      yield value;
    }
  } finally {
    // The signal lives as long as the process: it must not hold on to every upload that ever was.
    draining.removeEventListener('abort', away);
  }
}
