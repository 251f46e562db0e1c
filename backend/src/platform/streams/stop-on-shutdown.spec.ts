import { getEventListeners } from 'node:events';
import { stopOnShutdown } from './stop-on-shutdown.js';

const bytes = (text: string) => Buffer.from(text);

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}

/** Yields one piece, then hangs forever. */
async function* stuck(): AsyncGenerator<Uint8Array> {
  yield bytes('first');
  await new Promise(() => undefined);
}

describe('the bytes of an upload until the process stops', () => {
  it('are all of them while it goes on, and the signal forgets the upload', async () => {
    const end = new AbortController();
    const got: string[] = [];
    for await (const piece of stopOnShutdown(pieces('a', 'b'), end.signal)) {
      got.push(Buffer.from(piece).toString());
      expect(getEventListeners(end.signal, 'abort')).toHaveLength(1);
    }
    expect(got).toEqual(['a', 'b']);
    expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  });

  it('break off although nothing comes, and the client is told when to come back', async () => {
    const end = new AbortController();
    const taken = stopOnShutdown(stuck(), end.signal);
    expect((await taken.next()).value).toEqual(bytes('first'));
    const next = taken.next();
    end.abort();
    await expect(next).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfter: 2 } });
    expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  });

  it('do not begin in a process that stops already', async () => {
    const taken = stopOnShutdown(stuck(), AbortSignal.abort());
    const both = Promise.all([taken.next(), taken.next()]);
    await expect(both).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('are let go by who takes no more of them', async () => {
    const end = new AbortController();
    for await (const piece of stopOnShutdown(pieces('a', 'b'), end.signal)) {
      expect(piece).toEqual(bytes('a'));
      break;
    }
    expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  });
});
