import { toByteSource } from './zip-archive.js';
import { isPasswordProtected } from './password-protection.js';

const END = 0xfffffffe;
const SECTOR = 512;

/** A compound file with one stream of 4,096 bytes: FAT in sector 0, directory in 1, stream from 2 on. */
function compoundFile(name: string, content: Buffer): Buffer {
  const file = Buffer.alloc(SECTOR * 11);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  for (const [at, value] of [
    [30, 9],
    [32, 6],
  ] as const)
    file.writeUInt16LE(value, at);
  for (const [at, value] of [
    [44, 1],
    [48, 1],
    [56, 4096],
    [60, END],
    [68, END],
    [76, 0],
  ] as const)
    file.writeUInt32LE(value, at);
  const table = [0xfffffffd, END, 3, 4, 5, 6, 7, 8, 9, END];
  for (const [at, next] of table.entries()) file.writeUInt32LE(next, SECTOR + 4 * at);
  const entry = (at: number, title: string, type: number, start: number, size: number) => {
    const base = 2 * SECTOR + 128 * at;
    file.write(title, base, 'utf16le');
    file.writeUInt16LE(2 * title.length + 2, base + 64);
    file[base + 66] = type;
    file.writeUInt32LE(start, base + 116);
    file.writeUInt32LE(size, base + 120);
  };
  entry(0, 'Root Entry', 5, END, 0);
  entry(1, name, 2, 2, 4096);
  content.copy(file, 3 * SECTOR);
  return file;
}

/**
 * A compound file of more than 7 MB with a directory at its end, so that the header can't list all FAT sectors and the
 * rest is in a DIFAT sector. The order is: FAT, DIFAT sector, then the directory with other data between its two
 * sectors.
 */
function largeCompoundFile(name: string, content: Buffer): Buffer {
  const PARTS = 112;
  const [list, first, second] = [PARTS, PARTS + 1, PARTS * 128 - 20];
  const small = compoundFile(name, content);
  const file = Buffer.alloc(SECTOR * (1 + PARTS * 128), 0xff);
  small.copy(file, 0, 0, SECTOR);
  const numbers = (at: number, ...values: number[]) => {
    for (const [index, value] of values.entries()) file.writeUInt32LE(value, at + 4 * index);
  };
  numbers(44, PARTS, first);
  numbers(68, list, 1);
  numbers(76, ...Array.from({ length: 109 }, (_, part) => part));
  numbers(SECTOR * (1 + list), 109, 110, 111);
  numbers(SECTOR * (1 + list) + SECTOR - 4, END);
  const next = (sector: number, following: number) => numbers(SECTOR + 4 * sector, following);
  // The directory continues after 7 MB, and so does the stream.
  const middle = second - 1;
  next(first, middle);
  next(middle, second);
  next(second, END);
  file.fill(0, SECTOR * (1 + first), SECTOR * (2 + first));
  file.fill(0, SECTOR * (1 + middle), SECTOR * (2 + middle));
  small.copy(file, SECTOR * (1 + second), 2 * SECTOR, 3 * SECTOR);
  for (let index = 0; index < 8; index++) next(second + 1 + index, index === 7 ? END : second + 2 + index);
  file.writeUInt32LE(second + 1, SECTOR * (1 + second) + 128 + 116);
  content.copy(file, SECTOR * (2 + second));
  return file;
}

const words = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const word = (flags: number) => words(0xa5ec, 0x00c1, 0, 0, 0, flags);
const bof = words(0x0809, 2, 0x0600);

describe('isPasswordProtected', () => {
  it.each([
    ['an encrypted package', compoundFile('EncryptedPackage', Buffer.alloc(0)), true],
    ['an encrypted Word document', compoundFile('WordDocument', word(0x0100)), true],
    ['a Word document', compoundFile('WordDocument', word(0x0200)), false],
    ['an encrypted workbook', compoundFile('Workbook', Buffer.concat([bof, words(0x002f, 0)])), true],
    ['an encrypted Excel 5 workbook', compoundFile('Book', Buffer.concat([bof, words(0x002f, 0)])), true],
    ['a workbook', compoundFile('Workbook', Buffer.concat([bof, words(0x0042, 2, 0x002f)])), false],
    ['an encrypted presentation', compoundFile('EncryptedSummary', Buffer.alloc(0)), true],
    ['a truncated compound file', compoundFile('WordDocument', word(0x0100)).subarray(0, 900), false],
    ['an encrypted Word document of more than 7 MB', largeCompoundFile('WordDocument', word(0x0100)), true],
    ['a Word document of more than 7 MB', largeCompoundFile('WordDocument', word(0x0200)), false],
    ['nothing', Buffer.alloc(0), false],
    ['a text', Buffer.from('EncryptedPackage'), false],
  ])('checks %s', async (_what, bytes, expected) =>
    expect(await isPasswordProtected(toByteSource(bytes))).toBe(expected),
  );

  it('handles circular sectors in a damaged file', async () => {
    const file = compoundFile('WordDocument', word(0x0100));
    file.writeUInt32LE(1, SECTOR + 4);
    expect(await isPasswordProtected(toByteSource(file))).toBe(true);
  });
});
