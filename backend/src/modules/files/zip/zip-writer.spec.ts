import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { readZip, readZipSequentially } from '../../../../test/support/zip.js';
import { centralDirectoryHeader, dataDescriptor, localFileHeader } from './zip-format.js';
import { ClientDisconnectedError, ZipWriter } from './zip-writer.js';

const date = new Date('2026-11-21T10:20:31Z');

/**
 * Returns the bytes of an archive.
 * @param start offset of the first byte
 */
async function writeArchive(add: (archive: ZipWriter) => Promise<void>, start = 0): Promise<Buffer> {
  const target = new PassThrough();
  const read = buffer(target);
  const archive = new ZipWriter(target);
  archive.written = start;
  await add(archive);
  await archive.finishArchive();
  const bytes = await read;
  expect(bytes).toHaveLength(archive.written - start);
  return bytes;
}

describe('ZipWriter', () => {
  it('writes folders, small files stored and larger ones deflated', async () => {
    const [small, large] = [randomBytes(1000), Buffer.alloc(500_000, 'text')];
    const chunks = [large.subarray(0, 77_777), large.subarray(77_777)];
    const bytes = await writeArchive(async (archive) => {
      await archive.addFolder('Ödevler/', date);
      await archive.addFolder('Ödevler/boş/', date);
      await archive.addBytes('Ödevler/ısı 😀.bin', date, small);
      await archive.addBytes('empty', date, Buffer.alloc(0));
      await archive.addStream('large.txt', date, Readable.from(chunks), large.length);
    });
    expect(bytes.length).toBeLessThan(20_000);
    expect([...readZip(bytes)]).toEqual([
      ['Ödevler/', Buffer.alloc(0)],
      ['Ödevler/boş/', Buffer.alloc(0)],
      ['Ödevler/ısı 😀.bin', small],
      ['empty', Buffer.alloc(0)],
      ['large.txt', large],
    ]);
  });

  it('stores compressed files uncompressed with little overhead', async () => {
    const photo = randomBytes(700_001);
    const chunks = [photo.subarray(0, 65_536), photo.subarray(65_536, 65_537), photo.subarray(65_537)];
    const bytes = await writeArchive(async (archive) => {
      await archive.addStream('photo.jpg', date, Readable.from(chunks), photo.length);
      await archive.addStream('one byte', date, Readable.from([Buffer.from([7])]), 1);
      await archive.addStream('nothing', date, Readable.from([]), 0);
    });
    expect(bytes.length).toBeLessThan(photo.length + 12 * 5 + 600);
    // It is stored uncompressed, block by block.
    expect(bytes.includes(photo.subarray(0, 65_535))).toBe(true);
    expect([...readZip(bytes)]).toEqual([
      ['photo.jpg', photo],
      ['one byte', Buffer.from([7])],
      ['nothing', Buffer.alloc(0)],
    ]);
  });

  it('can be unpacked without the central directory, as macOS does', async () => {
    const [photo, text] = [randomBytes(200_000), Buffer.alloc(200_000, 'text')];
    const bytes = await writeArchive(async (archive) => {
      await archive.addFolder('folder/', date);
      await archive.addStream('folder/photo.jpg', date, Readable.from([photo]), photo.length);
      await archive.addBytes('small', date, Buffer.from('small'));
      await archive.addStream('text', date, Readable.from([text]), text.length);
    });
    expect(readZipSequentially(bytes)).toEqual(readZip(bytes));
  });

  it('writes checksum, sizes and time of an entry after its data', async () => {
    const bytes = await writeArchive((archive) =>
      archive.addStream('a', date, Readable.from([Buffer.from('some text')]), 9),
    );
    const at = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    expect(bytes.readUInt32LE(at + 16)).toBe(crc32('some text'));
    expect(bytes.readUInt32LE(at + 24)).toBe(9);
    expect(bytes.readUInt16LE(at + 12)).toBe((10 << 11) | (20 << 5) | 15);
    expect(bytes.readUInt16LE(at + 14)).toBe(((2026 - 1980) << 9) | (11 << 5) | 21);
    const descriptorAt = bytes.indexOf(Buffer.from([0x50, 0x4b, 7, 8]));
    expect(bytes.subarray(descriptorAt + 4, descriptorAt + 16).equals(bytes.subarray(at + 16, at + 28))).toBe(true);
  });

  it('can hold more than 65,535 entries', async () => {
    const bytes = await writeArchive(async (archive) => {
      for (let number = 0; number < 70_000; number++) await archive.addFolder(`${number}/`, date);
    });
    const paths = [...readZip(bytes).keys()];
    expect([paths.length, paths.at(-1)]).toEqual([70_000, '69999/']);
  });

  it('can be larger than 4 GiB', async () => {
    const start = 0xffffffff - 100;
    const file = Buffer.alloc(200_000, 'text');
    const bytes = await writeArchive(async (archive) => {
      await archive.addBytes('below', date, randomBytes(200));
      await archive.addStream('above', date, Readable.from([file]), file.length);
    }, start);
    const content = readZip(bytes, start);
    expect(content.get('below')).toHaveLength(200);
    expect(content.get('above')).toEqual(file);
  });

  it('writes the sizes of files of 4 GiB and more to 8-byte fields', () => {
    const [size, compressedSize] = [5_000_000_000, 5_000_400_005];
    const record = { path: Buffer.from('a'), date, isStreamed: true, offset: 7, size, crc: 1, compressedSize };
    const local = localFileHeader(record);
    expect([local.readUInt16LE(4), local.readUInt32LE(18), local.readUInt32LE(22)]).toEqual([
      45, 0xffffffff, 0xffffffff,
    ]);
    expect(local.subarray(31)).toEqual(Buffer.from([1, 0, 16, 0, ...Buffer.alloc(16)]));
    const descriptor = dataDescriptor(record);
    expect([descriptor.readBigUInt64LE(8), descriptor.readBigUInt64LE(16)]).toEqual([5_000_400_005n, 5_000_000_000n]);
    const central = centralDirectoryHeader({ ...record, offset: 6_000_000_000 });
    expect([20, 24, 42].map((at) => central.readUInt32LE(at))).toEqual([0xffffffff, 0xffffffff, 0xffffffff]);
    expect([central.readUInt16LE(30), central.readUInt16LE(47), central.readUInt16LE(49)]).toEqual([28, 1, 24]);
    const values = [51, 59, 67].map((at) => Number(central.readBigUInt64LE(at)));
    expect(values).toEqual([5_000_000_000, 5_000_400_005, 6_000_000_000]);
    expect(localFileHeader({ ...record, size: 4_000_000_000 })).toHaveLength(31);
  });

  it('waits for its client', async () => {
    const target = new PassThrough();
    const archive = new ZipWriter(target);
    let added = 0;
    const adding = (async () => {
      for (; added < 100; added++) await archive.addBytes(`${added}`, date, Buffer.alloc(64 * 1024));
      await archive.finishArchive();
    })();
    for (let turn = 0; turn < 1000; turn++) await setImmediate();
    expect(added).toBeLessThan(2);
    const [bytes] = await Promise.all([buffer(target), adding]);
    expect(readZip(bytes).size).toBe(100);
  });

  it('reads no more of a file than its client receives', async () => {
    const target = new PassThrough();
    const archive = new ZipWriter(target);
    const block = randomBytes(64 * 1024);
    let read = 0;
    const source = Readable.from(
      (function* () {
        for (; read < 300; read++) yield block;
      })(),
      { highWaterMark: 1 },
    );
    const writing = archive.addStream('a', date, source, 300 * block.length).then(() => archive.finishArchive());
    let [received, mostAhead] = [0, 0];
    for await (const chunk of target as AsyncIterable<Buffer>) {
      received += chunk.length;
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      mostAhead = Math.max(mostAhead, read * block.length - received);
    }
    await writing;
    expect(received).toBe(archive.written);
    expect(mostAhead).toBeLessThan(2 ** 20);
  });

  it('stops when its client disconnects and closes a silent source', async () => {
    const target = new PassThrough();
    const archive = new ZipWriter(target);
    const silent = new Readable({ read: () => undefined });
    const writing = archive.addStream('a', date, silent, 1);
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
    await expect(archive.addStream('a', date, broken, 2)).rejects.toThrow('cut');
    expect(broken.destroyed).toBe(true);
  });

  it.each([1, 3])('fails when its source has %i bytes instead of 2', async (length) => {
    const archive = new ZipWriter(new PassThrough());
    const adding = archive.addStream('a', date, Readable.from([Buffer.alloc(length)]), 2);
    await expect(adding).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });
});
