import { MIB } from '../../../platform/text/byte-units.js';
import { RequestReservations } from './request-reservations.js';

const CHUNK = 64 * 1024;
/** Files up to this size are read before they are stored. */
const READ_FIRST = 4 * CHUNK;

/** Uploads files in chunks of 64 KB, `pace` milliseconds apart, and records what is reserved for them. */
async function run(files: number[], left: number | null, allowed = Infinity, pace = 1) {
  const reserved: number[] = [];
  const sum = () => reserved.reduce((all, bytes) => all + bytes, 0);
  let now = 0;
  let extended = 0;
  const reservations = {
    createReservation: () => Promise.resolve({ id: 1 }),
    reserveBytes: (_em: unknown, _reservation: unknown, needed: number, requested: number) => {
      const given = sum() + requested <= allowed ? requested : needed;
      if (sum() + given > allowed) return Promise.reject(new Error('full'));
      reserved.push(given);
      return Promise.resolve(given);
    },
    extendLeases: () => Promise.resolve(void extended++),
  };
  const clock = { now: () => new Date(now) };
  const request = new RequestReservations({} as never, reservations as never, clock as never, 100 * 2 ** 20, left);
  let before = 0;
  for (const total of files) {
    const file = await request.openFile(1);
    for (let size = Math.min(READ_FIRST, total); ; size = Math.min(size + CHUNK, total)) {
      now += pace;
      await file.ensureReserved(size, total < READ_FIRST);
      expect(sum()).toBeGreaterThanOrEqual(before + size);
      if (size === total) break;
    }
    file.finishFile(total);
    before += total;
  }
  return { reserved, extended };
}

describe('Upload reservation', () => {
  it('equals the size of a small file', async () => {
    expect((await run([100_000], null)).reserved).toEqual([100_000]);
    expect((await run([0], null)).reserved).toEqual([]);
  });

  it('starts at 8 MB for a file of unknown length and doubles each time', async () => {
    expect((await run([60 * MIB], null)).reserved).toEqual([8 * MIB, 16 * MIB, 32 * MIB, 44 * MIB]);
  });

  it('grows less when the quota is nearly used up', async () => {
    const { reserved } = await run([20 * MIB], 21 * MIB + 5, 20 * MIB);
    expect(reserved.reduce((all, bytes) => all + bytes, 0)).toBe(20 * MIB);
    expect(reserved.every(Number.isInteger)).toBe(true);
    expect(reserved.length).toBeLessThan(30);
  });

  it('equals the announced size at once for all files of the request', async () => {
    expect((await run([9 * MIB], 9 * MIB + 200)).reserved).toEqual([9 * MIB + 200]);
    expect((await run([9 * MIB, 5 * MIB], 14 * MIB + 200)).reserved).toEqual([14 * MIB + 200]);
  });

  it('can fill the quota to the last byte', async () => {
    const { reserved } = await run([9 * MIB], 9 * MIB + 200, 9 * MIB);
    expect(reserved.reduce((all, bytes) => all + bytes, 0)).toBe(9 * MIB);
    await expect(run([9 * MIB + 1], 9 * MIB + 200, 9 * MIB)).rejects.toThrow('full');
  });

  it('is extended while bytes arrive slowly', async () => {
    expect((await run([8 * MIB], null)).extended).toBe(0);
    // 125 chunks, one per minute: the lease is renewed every fourth minute.
    expect((await run([8 * MIB], null, Infinity, 60_000)).extended).toBe(31);
  });
});
