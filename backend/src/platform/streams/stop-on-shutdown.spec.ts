import { getEventListeners } from 'node:events';
import { stopOnShutdown } from './stop-on-shutdown.js';

const bytes = (text: string) => Buffer.from(text);

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}

/** Yields one piece, then hangs forever. */
async function* hanging(): AsyncGenerator<Uint8Array> {
  yield bytes('first');
  await new Promise(() => undefined);
}

describe('Upload bytes until shutdown', () => {
  it('passes on all bytes and removes the abort listener', async () => {
    const end = new AbortController();
    const got: string[] = [];
    for await (const piece of stopOnShutdown(pieces('a', 'b'), end.signal)) {
      got.push(Buffer.from(piece).toString());
      expect(getEventListeners(end.signal, 'abort')).toHaveLength(1);
    }
    expect(got).toEqual(['a', 'b']);
    expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  });

  it('ends with 503 and Retry-After on shutdown, even if no bytes arrive', async () => {
    const end = new AbortController();
    const taken = stopOnShutdown(hanging(), end.signal);
    expect((await taken.next()).value).toEqual(bytes('first'));
    const next = taken.next();
    end.abort();
    await expect(next).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfter: 2 } });
    expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  });

  it('rejects uploads in a process that is already shutting down', async () => {
    const taken = stopOnShutdown(hanging(), AbortSignal.abort());
    const both = Promise.all([taken.next(), taken.next()]);
    await expect(both).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('releases the abort listener when the consumer stops early', async () => {
    const end = new AbortController();
    for await (const piece of stopOnShutdown(pieces('a', 'b'), end.signal)) {
      expect(piece).toEqual(bytes('a'));
      break;
    }
    expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  });
});
