import { createHash, randomBytes } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { AppError } from '../../../src/platform/errors/app-error.js';
import { newObjectKey, keyPrefixesOf, type ObjectInfo, type Storage } from '../../../src/platform/storage/storage.js';

/** Ranges of an object of a million bytes, including both ends. */
const ranges: readonly (readonly [start: number, end: number])[] = [
  [0, 0],
  [999_990, 999_999],
  [5, 700_000],
];

/**
 * Contract of every storage driver. `createStorage` returns an empty one for each test.
 * @param readableRanges those that the service behind the driver can read; all by default
 */
export function describeStorageContract(
  name: string,
  createStorage: () => Promise<Storage>,
  readableRanges = ranges,
): void {
  describe(`${name} (storage contract)`, () => {
    let storage: Storage;

    beforeEach(async () => {
      storage = await createStorage();
    });

    const putObject = (bytes: Buffer, key = newObjectKey('files')) =>
      storage.write(key, toChunkStream(bytes)).then(() => key);

    it('returns the written bytes, size and digest', async () => {
      const bytes = randomBytes(3_000_000);
      const key = newObjectKey('files');
      const written = await storage.write(key, toChunkStream(bytes));
      expect(written).toEqual({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
      expect(bytes.equals(await buffer(await storage.read(key)))).toBe(true);
      expect(await storage.stat(key)).toMatchObject({ key, size: bytes.length });
    });

    it('uses a chunk of the source only until it requests the next one', async () => {
      const bytes = randomBytes(1_300_000);
      async function* reused(): AsyncGenerator<Buffer> {
        const chunk = Buffer.alloc(70_001);
        for (let at = 0; at < bytes.length; at += chunk.length) {
          yield chunk.subarray(0, bytes.copy(chunk, 0, at, at + chunk.length));
        }
      }
      const key = newObjectKey('files');
      await storage.write(key, reused());
      expect(bytes.equals(await buffer(await storage.read(key)))).toBe(true);
    });

    it('stores an empty object', async () => {
      const key = newObjectKey('files');
      expect((await storage.write(key, toChunkStream(Buffer.alloc(0)))).size).toBe(0);
      expect(await buffer(await storage.read(key))).toHaveLength(0);
    });

    it('reads a range including both ends', async () => {
      const bytes = randomBytes(1_000_000);
      const key = await putObject(bytes);
      for (const [start, end] of readableRanges) {
        const part = await buffer(await storage.read(key, { start, end }));
        expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
    });

    it('sends an object, a range or nothing, without ending the target', async () => {
      const bytes = randomBytes(3_000_000);
      const key = await putObject(bytes);
      for (const [start, end] of [
        [0, bytes.length - 1],
        [1_048_570, 2_097_160],
        [2_999_999, 2_999_999],
        [0, -1],
      ] as const) {
        const target = new SlowWritable();
        const sent = await (await storage.openRange(key, { start, end })).sendTo(target);
        expect(target.writableEnded).toBe(false);
        await finished(target.end());
        expect([sent, target.received.equals(bytes.subarray(start, end + 1))]).toEqual([end - start + 1, true]);
      }
      await expect(storage.openRange(newObjectKey('files'), { start: 0, end: 1 })).rejects.toBeInstanceOf(AppError);
    });

    it('sends different ranges to many targets concurrently', async () => {
      const objects = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const bytes = randomBytes(2_500_000);
          return { bytes, key: await putObject(bytes) };
        }),
      );
      const all = Array.from({ length: 40 }, async (_, index) => {
        const { bytes, key } = objects[index % 5]!;
        const target = new SlowWritable(index % 3);
        await (await storage.openRange(key, { start: index, end: bytes.length - 1 })).sendTo(target);
        await finished(target.end());
        return target.received.equals(bytes.subarray(index));
      });
      expect(await Promise.all(all)).toEqual(all.map(() => true));
    });

    it('stops sending when the client disconnects', async () => {
      const key = await putObject(randomBytes(3_000_000));
      const target = new SlowWritable(0, 100_000);
      const sent = await (await storage.openRange(key, { start: 0, end: 2_999_999 })).sendTo(target);
      expect(sent).toBeLessThan(3_000_000);
      const closed = new SlowWritable();
      closed.destroy();
      expect(await (await storage.openRange(key, { start: 0, end: 2_999_999 })).sendTo(closed)).toBeLessThan(3_000_000);
    });

    it('reads a small object completely or fails', async () => {
      const key = await putObject(Buffer.from('abc'));
      expect((await storage.readWhole(key, 3)).toString()).toBe('abc');
      await expect(storage.readWhole(key, 4)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    });

    it('reports progress as bytes arrive', async () => {
      const seen: number[] = [];
      await storage.write(newObjectKey('files'), toChunkStream(randomBytes(200_000), 50_000), {
        onProgress: (size) => seen.push(size),
      });
      expect(seen).toEqual([50_000, 100_000, 150_000, 200_000]);
    });

    it('accepts exactly the allowed number of bytes, and stores nothing beyond it', async () => {
      const allowed = newObjectKey('files');
      await storage.write(allowed, toChunkStream(randomBytes(1000)), { maxBytes: 1000 });
      const rejected = newObjectKey('files');
      const attempt = storage.write(rejected, toChunkStream(randomBytes(1001)), { maxBytes: 1000 });
      await expect(attempt).rejects.toMatchObject({ code: 'OBJECT_TOO_LARGE' });
      expect(await storage.stat(rejected)).toBeNull();
      expect(await listKeys(storage.list(''))).toEqual([allowed]);
    });

    it('stores nothing and passes on the error when the source fails', async () => {
      const key = newObjectKey('files');
      const broken = async function* () {
        yield randomBytes(700_000);
        throw new Error('the connection was cut');
      };
      await expect(storage.write(key, broken())).rejects.toThrow('the connection was cut');
      expect(await storage.stat(key)).toBeNull();
      await expect(storage.read(key)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      expect(await listKeys(storage.list(''))).toEqual([]);
    });

    it('does not expose an object before it is complete', async () => {
      const key = newObjectKey('files');
      let during: ObjectInfo | null | undefined;
      const source = async function* () {
        yield randomBytes(700_000);
        during = await storage.stat(key);
        yield randomBytes(10);
      };
      await storage.write(key, source());
      expect(during).toBeNull();
      expect((await storage.stat(key))?.size).toBe(700_010);
    });

    it('deletes an object, even if it does not exist', async () => {
      const key = await putObject(randomBytes(10));
      await storage.delete(key);
      await storage.delete(key);
      expect(await storage.stat(key)).toBeNull();
      await expect(storage.read(key)).rejects.toBeInstanceOf(AppError);
    });

    it('lists the objects of a prefix', async () => {
      const files = [await putObject(randomBytes(3)), await putObject(randomBytes(4))].sort();
      const thumbnail = await putObject(randomBytes(5), newObjectKey('thumbnails'));
      expect(await listKeys(storage.list('files/'))).toEqual(files);
      expect(await listKeys(storage.list(''))).toEqual([...files, thumbnail].sort());
      const folder = files[0]!.slice(0, 'files/00/'.length);
      expect(await listKeys(storage.list(folder))).toEqual(files.filter((key) => key.startsWith(folder)));
      expect(await listKeys(storage.list(files[0]!.slice(0, -1)))).toEqual([files[0]]);
      await expect(listKeys(storage.list('../../'))).rejects.toThrow('not a prefix');
      for (const prefix of keyPrefixesOf('files')) expect(prefix).toMatch(/^files\/[0-9a-f]{2}\/$/);
      expect(keyPrefixesOf('files').filter((prefix) => files[0]!.startsWith(prefix))).toEqual([folder]);
    });

    it('rejects invalid keys, such as path traversal', async () => {
      for (const key of ['../secret', 'files/../../secret', '/etc/passwd', 'files//x', 'a\0b', '', 'files/.hidden']) {
        await expect(storage.write(key, toChunkStream(Buffer.from('x')))).rejects.toThrow('not a key');
        await expect(storage.read(key)).rejects.toThrow('not a key');
        await expect(storage.delete(key)).rejects.toThrow('not a key');
      }
    });

    it('keeps one mark, set by the first of several writers, which is no object', async () => {
      expect(await storage.readMark()).toBeNull();
      await Promise.all(['a', 'b', 'c'].map((text) => storage.writeMark(text, true)));
      const first = await storage.readMark();
      expect(['a', 'b', 'c']).toContain(first);
      await storage.writeMark('later', true);
      expect(await storage.readMark()).toBe(first);
      await storage.writeMark('replaced', false);
      expect(await storage.readMark()).toBe('replaced');
      expect(await listKeys(storage.list(''))).toEqual([]);
    });

    it('moves an object and reports a missing one', async () => {
      const bytes = randomBytes(700_000);
      const key = await putObject(bytes);
      const other = `quarantine/${key}`;
      expect(await storage.move(key, other)).toBe(true);
      expect(await storage.stat(key)).toBeNull();
      expect((await buffer(await storage.read(other))).equals(bytes)).toBe(true);
      expect(await storage.move(key, other)).toBe(false);
      expect(await listKeys(storage.list(''))).toEqual([other]);
    });

    it('copies an object, which outlives the first', async () => {
      const bytes = randomBytes(700_000);
      const [key, other] = [await putObject(bytes), newObjectKey('files')];
      await storage.copy(key, other);
      expect(await storage.stat(other)).toMatchObject({ key: other, size: bytes.length });
      await storage.delete(key);
      expect((await buffer(await storage.read(other))).equals(bytes)).toBe(true);
      await expect(storage.copy(key, newObjectKey('files'))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      expect(await listKeys(storage.list(''))).toEqual([other]);
    });

    it('keeps concurrent writes separate', async () => {
      const bodies = Array.from({ length: 20 }, () => randomBytes(100_000));
      const stored = await Promise.all(bodies.map((body) => putObject(body)));
      for (const [index, key] of stored.entries()) {
        expect((await buffer(await storage.read(key))).equals(bodies[index]!)).toBe(true);
      }
    });
  });
}

/** Writes with a delay, like a network; optionally the connection is cut after some bytes. */
class SlowWritable extends Writable {
  private readonly chunks: Buffer[] = [];
  private length = 0;

  constructor(
    private readonly delayMs = 0,
    private readonly cutAfter = Infinity,
  ) {
    super();
  }

  get received(): Buffer {
    return Buffer.concat(this.chunks);
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    const accept = () => {
      // Copied when consumed, like a network does: the sender must not reuse the buffer before then.
      this.chunks.push(Buffer.from(chunk));
      this.length += chunk.length;
      if (this.length >= this.cutAfter) this.destroy();
      else done();
    };
    setTimeout(accept, this.delayMs);
  }
}

/** Bytes in chunks, as from a network. */
export function toChunkStream(bytes: Buffer, size = 64 * 1024): Readable {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return Readable.from(chunks);
}

/** The keys of a list in order. */
export async function listKeys(objects: AsyncIterable<ObjectInfo>): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of objects) found.push(key);
  return found.sort();
}
