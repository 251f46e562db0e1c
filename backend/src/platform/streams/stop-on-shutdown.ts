import { commonErrors } from '../errors/common.errors.js';

/**
 * Yields the chunks of a stream and frees the memory of each when the next is requested. Each network read allocates
 * its own buffer; leaving them to the garbage collector would cause many full collections for a large file. Consumers
 * must not keep references to a chunk.
 */
export async function* consumeChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    yield chunk;
    // Only if the chunk owns the whole buffer: small ones share a pool.
    if (chunk.byteLength === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
  }
}

/** When a rejected client may retry, in seconds: with another process, or with this one after its restart. */
const RETRY_AFTER = 2;

/**
 * Yields the bytes of a source until this process shuts down, then fails so that the client retries. The data received
 * so far is kept, and the upload resumes from there.
 * @throws SERVICE_UNAVAILABLE with Retry-After
 */
export async function* stopOnShutdown(
  source: AsyncIterable<Uint8Array>,
  shutdown: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = source[Symbol.asyncIterator]();
  let onAbort = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(commonErrors.SERVICE_UNAVAILABLE({}, { retryAfter: RETRY_AFTER }));
    if (shutdown.aborted) onAbort();
    else shutdown.addEventListener('abort', onAbort, { once: true });
  });
  stopped.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await Promise.race([bytes.next(), stopped]);
      if (done) return;
      yield value;
    }
  } finally {
    // The signal lives as long as the process, so it must not keep references to finished uploads.
    shutdown.removeEventListener('abort', onAbort);
  }
}
