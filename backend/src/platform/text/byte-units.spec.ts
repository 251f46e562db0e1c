import { formatBinarySize, GIB, KIB, MIB } from './byte-units.js';

describe('Sizes in messages', () => {
  it.each([
    [0, '0 B'],
    [1000, '1000 B'],
    [KIB, '1 KB'],
    [1.25 * KIB, '1.3 KB'],
    [MIB - 1, '1024 KB'],
    [100 * MIB, '100 MB'],
    [2.5 * GIB, '2.5 GB'],
    [2048 * GIB, '2048 GB'],
  ])('have the unit that fits %d bytes', (bytes, text) => expect(formatBinarySize(bytes)).toBe(text));
});
