import { getEventListeners } from 'node:events';
import { stopOnShutdown } from './stop-on-shutdown.js';

const bytes = (text: string) => Buffer.from(text);

async function* createSource(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}

/** Yields one chunk, then hangs forever. */
async function* createHangingSource(): AsyncGenerator<Uint8Array> {
  yield bytes('first');
  await new Promise(() => undefined);
}

describe('Upload bytes until shutdown', () => {
  it('passes on all bytes and removes the abort listener', async () => {
    const shutdown = new AbortController();
    const received: string[] = [];
    for await (const chunk of stopOnShutdown(createSource('a', 'b'), shutdown.signal)) {
      received.push(Buffer.from(chunk).toString());
      expect(getEventListeners(shutdown.signal, 'abort')).toHaveLength(1);
    }
    expect(received).toEqual(['a', 'b']);
    expect(getEventListeners(shutdown.signal, 'abort')).toEqual([]);
  });

  it('ends with 503 and Retry-After on shutdown, even if no bytes arrive', async () => {
    const shutdown = new AbortController();
    const stream = stopOnShutdown(createHangingSource(), shutdown.signal);
    expect((await stream.next()).value).toEqual(bytes('first'));
    const read = stream.next();
    shutdown.abort();
    await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfter: 2 } });
    expect(getEventListeners(shutdown.signal, 'abort')).toEqual([]);
  });

  it('rejects uploads in a process that is already shutting down', async () => {
    const stream = stopOnShutdown(createHangingSource(), AbortSignal.abort());
    const reads = Promise.all([stream.next(), stream.next()]);
    await expect(reads).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('releases the abort listener when the consumer stops early', async () => {
    const shutdown = new AbortController();
    for await (const chunk of stopOnShutdown(createSource('a', 'b'), shutdown.signal)) {
      expect(chunk).toEqual(bytes('a'));
      break;
    }
    expect(getEventListeners(shutdown.signal, 'abort')).toEqual([]);
  });
});
