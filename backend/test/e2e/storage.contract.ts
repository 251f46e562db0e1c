import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError } from '../../src/platform/errors/app-error.js';
import { newKey, prefixesOf, type ObjectInfo, type Storage } from '../../src/platform/storage/storage.js';

/** What every driver of the storage must do. `make` gives an empty one for each test. */
export function storageContract(name: string, make: () => Promise<Storage>): void {
  describe(`${name} keeps the contract of the storage`, () => {
    let storage: Storage;

    beforeEach(async () => {
      storage = await make();
    });

    const put = (bytes: Buffer, key = newKey('files')) => storage.write(key, chunksOf(bytes)).then(() => key);

    it('gives back what was written, with its size and digest', async () => {
      const bytes = randomBytes(3_000_000);
      const key = newKey('files');
      const written = await storage.write(key, chunksOf(bytes));
      expect(written).toEqual({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
      expect(bytes.equals(await buffer(await storage.read(key)))).toBe(true);
      expect(await storage.stat(key)).toMatchObject({ key, size: bytes.length });
    });

    it('stores an empty object', async () => {
      const key = newKey('files');
      expect((await storage.write(key, chunksOf(Buffer.alloc(0)))).size).toBe(0);
      expect(await buffer(await storage.read(key))).toHaveLength(0);
    });

    it('reads a range, both ends included', async () => {
      const bytes = randomBytes(1_000_000);
      const key = await put(bytes);
      for (const [start, end] of [
        [0, 0],
        [999_990, 999_999],
        [5, 700_000],
      ] as const) {
        const part = await buffer(await storage.read(key, { start, end }));
        expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
    });

    it('reports progress as bytes arrive', async () => {
      const seen: number[] = [];
      await storage.write(newKey('files'), chunksOf(randomBytes(200_000), 50_000), {
        onProgress: (size) => seen.push(size),
      });
      expect(seen).toEqual([50_000, 100_000, 150_000, 200_000]);
    });

    it('takes exactly the bytes allowed and refuses one more, leaving nothing', async () => {
      const allowed = newKey('files');
      await storage.write(allowed, chunksOf(randomBytes(1000)), { maxBytes: 1000 });
      const refused = newKey('files');
      const attempt = storage.write(refused, chunksOf(randomBytes(1001)), { maxBytes: 1000 });
      await expect(attempt).rejects.toMatchObject({ code: 'OBJECT_TOO_LARGE' });
      expect(await storage.stat(refused)).toBeNull();
      expect(await keys(storage.list(''))).toEqual([allowed]);
    });

    it('leaves nothing of a source that breaks off, and passes on its error', async () => {
      const key = newKey('files');
      const broken = async function* () {
        yield randomBytes(700_000);
        throw new Error('the line was cut');
      };
      await expect(storage.write(key, broken())).rejects.toThrow('the line was cut');
      expect(await storage.stat(key)).toBeNull();
      await expect(storage.read(key)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      expect(await keys(storage.list(''))).toEqual([]);
    });

    it('does not show an object before it is whole', async () => {
      const key = newKey('files');
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

    it('deletes, and deletes again without complaint', async () => {
      const key = await put(randomBytes(10));
      await storage.delete(key);
      await storage.delete(key);
      expect(await storage.stat(key)).toBeNull();
      await expect(storage.read(key)).rejects.toBeInstanceOf(AppError);
    });

    it('lists the objects of a prefix', async () => {
      const files = [await put(randomBytes(3)), await put(randomBytes(4))].sort();
      const thumbnail = await put(randomBytes(5), newKey('thumbnails'));
      expect(await keys(storage.list('files/'))).toEqual(files);
      expect(await keys(storage.list(''))).toEqual([...files, thumbnail].sort());
      const folder = files[0]!.slice(0, 'files/00/'.length);
      expect(await keys(storage.list(folder))).toEqual(files.filter((key) => key.startsWith(folder)));
      expect(await keys(storage.list(files[0]!.slice(0, -1)))).toEqual([files[0]]);
      await expect(keys(storage.list('../'))).rejects.toThrow('not a prefix');
      for (const prefix of prefixesOf('files')) expect(prefix).toMatch(/^files\/[0-9a-f]{2}\/$/);
      expect(prefixesOf('files').filter((prefix) => files[0]!.startsWith(prefix))).toEqual([folder]);
    });

    it('takes no key that could lead elsewhere', async () => {
      for (const key of ['../secret', 'files/../../secret', '/etc/passwd', 'files//x', 'a\0b', '', 'files/.hidden']) {
        await expect(storage.write(key, chunksOf(Buffer.from('x')))).rejects.toThrow('not a key');
        await expect(storage.read(key)).rejects.toThrow('not a key');
        await expect(storage.delete(key)).rejects.toThrow('not a key');
      }
    });

    it('keeps parallel writers apart', async () => {
      const bodies = Array.from({ length: 20 }, () => randomBytes(100_000));
      const stored = await Promise.all(bodies.map((body) => put(body)));
      for (const [index, key] of stored.entries()) {
        expect((await buffer(await storage.read(key))).equals(bodies[index]!)).toBe(true);
      }
    });
  });
}

/** Bytes as they come from a network: in pieces. */
export function chunksOf(bytes: Buffer, size = 64 * 1024): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return Readable.from(pieces);
}

/** The keys of a list, in their order. */
export async function keys(objects: AsyncIterable<ObjectInfo>): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of objects) found.push(key);
  return found.sort();
}
