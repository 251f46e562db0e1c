import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { readZip } from '../../../../test/support/zip.js';
import { ending, listed } from './zip-format.js';
import { ReaderGone, ZipWriter } from './zip-writer.js';

const date = new Date('2026-11-21T10:20:31Z');

describe('an archive that is written', () => {
  it('holds folders, small files as they are and larger ones deflated', async () => {
    const target = new PassThrough();
    const read = buffer(target);
    const archive = new ZipWriter(target);
    const [small, large] = [randomBytes(1000), Buffer.alloc(500_000, 'text')];
    await archive.folder('Ödevler/', date);
    await archive.bytes('Ödevler/ısı 😀.bin', date, small);
    await archive.bytes('empty', date, Buffer.alloc(0));
    await archive.stream('large.txt', date, Readable.from([large.subarray(0, 77_777), large.subarray(77_777)]));
    await archive.end();
    const bytes = await read;
    expect(bytes).toHaveLength(archive.written);
    expect(bytes.length).toBeLessThan(20_000);
    const content = readZip(bytes);
    expect([...content.keys()]).toEqual(['Ödevler/', 'Ödevler/ısı 😀.bin', 'empty', 'large.txt']);
    expect(content.get('Ödevler/ısı 😀.bin')!.equals(small)).toBe(true);
    expect(content.get('large.txt')!.equals(large)).toBe(true);
  });

  it('frames what is compressed already, without work and with hardly a byte more', async () => {
    const target = new PassThrough();
    const read = buffer(target);
    const archive = new ZipWriter(target);
    const photo = randomBytes(700_001);
    const chunks = [photo.subarray(0, 65_536), photo.subarray(65_536, 65_537), photo.subarray(65_537)];
    await archive.stream('photo.jpg', date, Readable.from(chunks));
    await archive.stream('one byte', date, Readable.from([Buffer.from([7])]));
    await archive.stream('nothing', date, Readable.from([]));
    await archive.end();
    const bytes = await read;
    expect(bytes.length).toBeLessThan(photo.length + 12 * 5 + 600);
    // It stands there as it is, block by block.
    expect(bytes.includes(photo.subarray(0, 65_535))).toBe(true);
    const content = readZip(bytes);
    expect(content.get('photo.jpg')!.equals(photo)).toBe(true);
    expect(content.get('one byte')!.equals(Buffer.from([7]))).toBe(true);
    expect(content.get('nothing')).toHaveLength(0);
  });

  it('tells checksum, sizes and time of an entry at its end', async () => {
    const target = new PassThrough();
    const read = buffer(target);
    const archive = new ZipWriter(target);
    await archive.stream('a', date, Readable.from([Buffer.from('some text')]));
    await archive.end();
    const bytes = await read;
    const at = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    expect(bytes.readUInt32LE(at + 16)).toBe(crc32('some text'));
    expect(bytes.readUInt32LE(at + 24)).toBe(9);
    expect(bytes.readUInt16LE(at + 12)).toBe((10 << 11) | (20 << 5) | 15);
    expect(bytes.readUInt16LE(at + 14)).toBe(((2026 - 1980) << 9) | (11 << 5) | 21);
    const told = bytes.indexOf(Buffer.from([0x50, 0x4b, 7, 8]));
    expect(bytes.subarray(told + 4, told + 16).equals(bytes.subarray(at + 16, at + 28))).toBe(true);
  });

  it('tells places beyond 4 GiB in fields of eight bytes', () => {
    const record = { path: Buffer.from('a'), date, isDeflated: false, isTold: false, crc: 1, packed: 2, size: 2 };
    const line = listed({ ...record, offset: 5_000_000_000 });
    expect(line.readUInt32LE(42)).toBe(0xffffffff);
    expect(line.readUInt16LE(30)).toBe(12);
    expect(line.readBigUInt64LE(47 + 4)).toBe(5_000_000_000n);
    expect(listed({ ...record, offset: 4_000_000_000 }).readUInt32LE(42)).toBe(4_000_000_000);
    const far = ending(3, 5_000_000_000, 141);
    expect(far.readBigUInt64LE(48)).toBe(5_000_000_000n);
    expect(far.readBigUInt64LE(64)).toBe(5_000_000_141n);
    expect(far.readUInt32LE(76 + 16)).toBe(0xffffffff);
    const many = ending(70_000, 100, 200);
    expect(many.readBigUInt64LE(32)).toBe(70_000n);
    expect(many.readUInt16LE(76 + 10)).toBe(0xffff);
    expect(ending(3, 100, 200)).toHaveLength(22);
  });

  it('ends when its reader goes away, and lets its source go, even one that is silent', async () => {
    const target = new PassThrough();
    const archive = new ZipWriter(target);
    const silent = new Readable({ read: () => undefined });
    const writing = archive.stream('a', date, silent);
    target.destroy();
    await expect(writing).rejects.toThrow();
    expect(silent.destroyed).toBe(true);
    expect(archive.gone).toBe(true);
    await expect(archive.bytes('b', date, Buffer.from('x'))).rejects.toBeInstanceOf(ReaderGone);
  });

  it('fails with its source', async () => {
    const archive = new ZipWriter(new PassThrough());
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('a');
        throw new Error('cut');
      })(),
    );
    await expect(archive.stream('a', date, broken)).rejects.toThrow('cut');
  });
});
