import { Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { BackpressureWriter } from './backpressure-writer.js';
import { sendStream } from './send-stream.js';

/** Accepts one chunk per turn, so that every write has to wait. `off` does nothing, as with a compressed response. */
class SlowWritable extends Writable {
  readonly chunks: string[] = [];
  readonly events: string[] = [];

  constructor(private readonly maxChunks = Infinity) {
    super({ highWaterMark: 1 });
  }

  override on(event: string, listener: Parameters<Writable['on']>[1]): this {
    this.events?.push(event);
    return super.on(event, listener);
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk.toString());
    if (this.chunks.length >= this.maxChunks) this.destroy();
    else setImmediate(done);
  }
}

const letters = [...'a long answer of many chunks'];

describe('Streamed response', () => {
  it('is sent completely with one drain listener, however often it waits', async () => {
    const writable = new SlowWritable();
    await sendStream(Readable.from(letters), writable);
    for (let tries = 0; !writable.writableFinished && tries < 100; tries++) await turn();
    expect(writable.chunks.join('')).toBe(letters.join(''));
    expect(writable.writableFinished).toBe(true);
    expect(writable.events.filter((event) => event === 'drain')).toHaveLength(1);
    expect(writable.listenerCount('drain') + writable.listenerCount('close')).toBe(0);
  });

  it('destroys its source when the client disconnects, even a silent one', async () => {
    const [early, late] = [new SlowWritable(3), new SlowWritable()];
    const many = Readable.from(letters);
    await sendStream(many, early);
    expect(many.destroyed).toBe(true);
    const silent = new Readable({ read: () => undefined });
    const sending = sendStream(silent, late);
    late.destroy();
    await sending;
    expect(silent.destroyed).toBe(true);
  });

  it('is cut off when its source fails so that it does not seem complete', async () => {
    const writable = new SlowWritable();
    async function* failing() {
      yield 'the beginning';
      throw new Error('The database went away.');
    }
    await sendStream(Readable.from(failing()), writable);
    expect(writable.destroyed).toBe(true);
    expect(writable.writableFinished).toBe(false);
  });

  it('reports to the writer that the client has disconnected', async () => {
    const writable = new SlowWritable();
    const writer = new BackpressureWriter(writable);
    expect(await writer.write('one')).toBe(true);
    const waiting = writer.write('two');
    writable.destroy();
    expect(await waiting).toBe(false);
    expect(await writer.write('three')).toBe(false);
  });
});
