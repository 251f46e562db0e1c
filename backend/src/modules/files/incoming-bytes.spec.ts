import { IncomingBytes, MAX_FILE_BYTES } from './incoming-bytes.js';

const KB = 1024;
const MB = 1024 * KB;

/** Sends `total` bytes in chunks of 64 KB, `pace` milliseconds apart, and writes down what is reserved for them. */
async function run(total: number, left: number | null, allowed = Infinity, pace = 1) {
  const reserved: number[] = [];
  let now = 0;
  let extended = 0;
  const content = async function* () {
    for (let sent = 0; sent < total; sent += 64 * KB) {
      now += pace;
      yield Buffer.alloc(Math.min(64 * KB, total - sent));
    }
  };
  const file = { name: 'a.bin', content: content(), skip: () => Promise.resolve() };
  const bytes = new IncomingBytes(file, left, {
    reserve: (needed, wished) => {
      const held = reserved.reduce((sum, one) => sum + one, 0);
      const given = held + wished <= allowed ? wished : needed;
      if (held + given > allowed) return Promise.reject(new Error('full'));
      reserved.push(given);
      return Promise.resolve(given);
    },
    extend: () => Promise.resolve(void extended++),
    now: () => now,
  });
  const type = await bytes.sniff();
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    expect(reserved.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(size);
  }
  return { type, size, reserved, extended };
}

describe('bytes on their way in', () => {
  it('of a small file reserve exactly its size', async () => {
    expect(await run(100_000, null)).toMatchObject({ size: 100_000, reserved: [100_000] });
    expect(await run(0, null)).toMatchObject({ size: 0, reserved: [] });
  });

  it('of unknown length reserve 8 MB and twice as many each time after that', async () => {
    expect((await run(60 * MB, null)).reserved).toEqual([8 * MB, 16 * MB, 32 * MB, 44 * MB]);
  });

  it('ask for less when much does not fit', async () => {
    const { reserved } = await run(20 * MB, 21 * MB + 5, 20 * MB);
    expect(reserved.reduce((sum, one) => sum + one, 0)).toBe(20 * MB);
    expect(reserved.every(Number.isInteger)).toBe(true);
    expect(reserved.length).toBeLessThan(30);
  });

  it('reserve what the request announced at once, and no more', async () => {
    expect((await run(9 * MB, 9 * MB + 200)).reserved).toEqual([9 * MB + 200]);
  });

  it('fill the last place to the byte', async () => {
    const { size, reserved } = await run(9 * MB, 9 * MB + 200, 9 * MB);
    expect(size).toBe(9 * MB);
    expect(reserved.reduce((sum, one) => sum + one, 0)).toBe(9 * MB);
    await expect(run(9 * MB + 1, 9 * MB + 200, 9 * MB)).rejects.toThrow('full');
  });

  it('are refused past 100 MB', async () => {
    expect((await run(MAX_FILE_BYTES, null)).size).toBe(MAX_FILE_BYTES);
    await expect(run(MAX_FILE_BYTES + 1, null)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('show that they are alive when they come slowly', async () => {
    expect((await run(8 * MB, null)).extended).toBe(0);
    // 128 chunks a minute apart: every fourth minute is a sign of life.
    expect((await run(8 * MB, null, Infinity, 60_000)).extended).toBe(32);
  });
});
