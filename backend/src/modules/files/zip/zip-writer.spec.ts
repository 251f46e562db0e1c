import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { readZip } from '../../../../test/support/zip.js';
import { endOfCentralDirectory, centralDirectoryHeader } from './zip-format.js';
import { ClientDisconnectedError, ZipWriter } from './zip-writer.js';

const date = new Date('2026-11-21T10:20:31Z');

describe('ZipWriter', () => {
  it('writes folders, small files stored and larger ones deflated', async () => {
    const target = new PassThrough();
    const read = buffer(target);
    const archive = new ZipWriter(target);
    const [small, large] = [randomBytes(1000), Buffer.alloc(500_000, 'text')];
    await archive.addFolder('Ödevler/', date);
    await archive.addBytes('Ödevler/ısı 😀.bin', date, small);
    await archive.addBytes('empty', date, Buffer.alloc(0));
    await archive.addStream('large.txt', date, Readable.from([large.subarray(0, 77_777), large.subarray(77_777)]));
    await archive.finishArchive();
    const bytes = await read;
    expect(bytes).toHaveLength(archive.written);
    expect(bytes.length).toBeLessThan(20_000);
    const content = readZip(bytes);
    expect([...content.keys()]).toEqual(['Ödevler/', 'Ödevler/ısı 😀.bin', 'empty', 'large.txt']);
    expect(content.get('Ödevler/ısı 😀.bin')!.equals(small)).toBe(true);
    expect(content.get('large.txt')!.equals(large)).toBe(true);
  });

  it('stores compressed files uncompressed with little overhead', async () => {
    const target = new PassThrough();
    const read = buffer(target);
    const archive = new ZipWriter(target);
    const photo = randomBytes(700_001);
    const chunks = [photo.subarray(0, 65_536), photo.subarray(65_536, 65_537), photo.subarray(65_537)];
    await archive.addStream('photo.jpg', date, Readable.from(chunks));
    await archive.addStream('one byte', date, Readable.from([Buffer.from([7])]));
    await archive.addStream('nothing', date, Readable.from([]));
    await archive.finishArchive();
    const bytes = await read;
    expect(bytes.length).toBeLessThan(photo.length + 12 * 5 + 600);
    // It is stored uncompressed, block by block.
    expect(bytes.includes(photo.subarray(0, 65_535))).toBe(true);
    const content = readZip(bytes);
    expect(content.get('photo.jpg')!.equals(photo)).toBe(true);
    expect(content.get('one byte')!.equals(Buffer.from([7]))).toBe(true);
    expect(content.get('nothing')).toHaveLength(0);
  });

  it('writes checksum, sizes and time of an entry after its data', async () => {
    const target = new PassThrough();
    const read = buffer(target);
    const archive = new ZipWriter(target);
    await archive.addStream('a', date, Readable.from([Buffer.from('some text')]));
    await archive.finishArchive();
    const bytes = await read;
    const at = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    expect(bytes.readUInt32LE(at + 16)).toBe(crc32('some text'));
    expect(bytes.readUInt32LE(at + 24)).toBe(9);
    expect(bytes.readUInt16LE(at + 12)).toBe((10 << 11) | (20 << 5) | 15);
    expect(bytes.readUInt16LE(at + 14)).toBe(((2026 - 1980) << 9) | (11 << 5) | 21);
    const descriptorAt = bytes.indexOf(Buffer.from([0x50, 0x4b, 7, 8]));
    expect(bytes.subarray(descriptorAt + 4, descriptorAt + 16).equals(bytes.subarray(at + 16, at + 28))).toBe(true);
  });

  it('uses ZIP64 fields for offsets beyond 4 GiB', () => {
    const record = {
      path: Buffer.from('a'),
      date,
      isDeflated: false,
      hasDataDescriptor: false,
      crc: 1,
      compressedSize: 2,
      size: 2,
    };
    const line = centralDirectoryHeader({ ...record, offset: 5_000_000_000 });
    expect(line.readUInt32LE(42)).toBe(0xffffffff);
    expect(line.readUInt16LE(30)).toBe(12);
    expect(line.readBigUInt64LE(47 + 4)).toBe(5_000_000_000n);
    expect(centralDirectoryHeader({ ...record, offset: 4_000_000_000 }).readUInt32LE(42)).toBe(4_000_000_000);
    const far = endOfCentralDirectory(3, 5_000_000_000, 141);
    expect(far.readBigUInt64LE(48)).toBe(5_000_000_000n);
    expect(far.readBigUInt64LE(64)).toBe(5_000_000_141n);
    expect(far.readUInt32LE(76 + 16)).toBe(0xffffffff);
    const many = endOfCentralDirectory(70_000, 100, 200);
    expect(many.readBigUInt64LE(32)).toBe(70_000n);
    expect(many.readUInt16LE(76 + 10)).toBe(0xffff);
    expect(endOfCentralDirectory(3, 100, 200)).toHaveLength(22);
  });

  it('stops when its client disconnects and closes a silent source', async () => {
    const target = new PassThrough();
    const archive = new ZipWriter(target);
    const silent = new Readable({ read: () => undefined });
    const writing = archive.addStream('a', date, silent);
    target.destroy();
    await expect(writing).rejects.toThrow();
    expect(silent.destroyed).toBe(true);
    expect(archive.isClientGone).toBe(true);
    await expect(archive.addBytes('b', date, Buffer.from('x'))).rejects.toBeInstanceOf(ClientDisconnectedError);
  });

  it('fails when its source fails', async () => {
    const archive = new ZipWriter(new PassThrough());
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('a');
        throw new Error('cut');
      })(),
    );
    await expect(archive.addStream('a', date, broken)).rejects.toThrow('cut');
  });
});
