import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GrowingObject } from '../../../src/platform/storage/growing-object.js';
import { LocalStorage } from '../../../src/platform/storage/local/local-storage.js';
import { newObjectKey } from '../../../src/platform/storage/storage.js';
import { listKeys, toChunkStream } from './storage.contract.js';

const MIB = 2 ** 20;
const ignore = () => Promise.resolve();
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A disk whose flushes can fail, and that tells when one has succeeded. */
class ObservedDisk extends LocalStorage {
  failure: Error | null = null;
  flushes = 0;

  protected override async openDraft(path: string): Promise<FileHandle> {
    const handle = await super.openDraft(path);
    const datasync = handle.datasync.bind(handle);
    return Object.assign(handle, {
      datasync: async () => {
        if (this.failure) throw this.failure;
        await datasync();
        this.flushes++;
      },
    });
  }
}

describe('Growing objects on disk', () => {
  let root: string;
  let key: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'zonary-growing-'));
    key = newObjectKey('files');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const growingFolder = () => join(root, '.unfinished', key.replaceAll('/', '-'));
  const open = async (storage: LocalStorage, size: number, generation = 0): Promise<GrowingObject> =>
    (await storage.openGrowing(key, { size, generation }))!;
  const append = async (storage: LocalStorage, bytes: Buffer, size: number, generation = 0) => {
    const object = await open(storage, size, generation);
    await object.append(toChunkStream(bytes), ignore);
    await object.close();
  };

  it('grow over several writers and processes, and can be read once they are finished', async () => {
    const storage = new LocalStorage(root);
    const bytes = randomBytes(3_000_001);
    await append(storage, bytes.subarray(0, 1_000_000), 0);
    await append(storage, bytes.subarray(1_000_000, 1_000_001), 1_000_000);
    const other = new LocalStorage(root);
    await append(other, bytes.subarray(1_000_001, 2_000_000), 1_000_001);
    expect(await other.stat(key)).toBeNull();
    expect(await listKeys(other.list(''))).toEqual([]);
    const object = await open(other, 2_000_000);
    await object.append(toChunkStream(bytes.subarray(2_000_000), 70_001), ignore);
    expect(await object.finish()).toEqual({ objectKey: key, size: bytes.length, sha256: digestOf(bytes) });
    await object.close();
    expect((await other.readWhole(key, bytes.length)).equals(bytes)).toBe(true);
    expect(await readdir(join(root, '.unfinished'))).toEqual([]);
  });

  it('can be empty', async () => {
    const object = await open(new LocalStorage(root), 0);
    expect(await object.finish()).toEqual({ objectKey: key, size: 0, sha256: digestOf(Buffer.alloc(0)) });
    await object.close();
  });

  it('report no size before the disk has it', async () => {
    const storage = new ObservedDisk(root);
    const object = await open(storage, 0);
    const block = randomBytes(MIB);
    async function* source(): AsyncGenerator<Buffer> {
      for (let count = 0; count < 200; count++) yield block;
    }
    const reported: number[] = [];
    await object.append(source(), async (size) => {
      expect(storage.flushes).toBeGreaterThan(reported.length);
      expect((await stat(join(growingFolder(), '0'))).size).toBeGreaterThanOrEqual(size);
      reported.push(size);
    });
    expect(reported.length).toBeGreaterThan(1);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(reported.at(-1)).toBe(200 * MIB);
    await object.close();
  });

  it('report nothing when the flush fails, and continue at the last reported size', async () => {
    const storage = new ObservedDisk(root);
    const bytes = randomBytes(3 * MIB);
    await append(storage, bytes.subarray(0, MIB), 0);
    await storage.delete(key);
    storage.failure = Object.assign(new Error('input/output error'), { code: 'EIO' });
    const object = await open(storage, 0);
    const reported: number[] = [];
    const appending = object.append(toChunkStream(bytes.subarray(0, MIB)), async (size) => void reported.push(size));
    await expect(appending).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await object.close();
    expect(reported).toEqual([]);
    storage.failure = null;
    const next = await open(storage, 0);
    await next.append(toChunkStream(bytes), ignore);
    expect(await next.finish()).toMatchObject({ sha256: digestOf(bytes) });
    await next.close();
  });

  it('keep what has arrived when the source fails, and pass the error on', async () => {
    const storage = new LocalStorage(root);
    const bytes = randomBytes(2 * MIB);
    async function* broken(): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, MIB);
      throw new Error('the connection was cut');
    }
    const object = await open(storage, 0);
    const reported: number[] = [];
    const appending = object.append(broken(), async (size) => void reported.push(size));
    await expect(appending).rejects.toThrow('the connection was cut');
    await object.close();
    expect(reported).toEqual([MIB]);
    const next = await open(storage, MIB);
    await next.append(toChunkStream(bytes.subarray(MIB)), ignore);
    expect(await next.finish()).toMatchObject({ sha256: digestOf(bytes) });
    await next.close();
  });

  it('stop when the size cannot be counted', async () => {
    const object = await open(new LocalStorage(root), 0);
    const lost = object.append(toChunkStream(randomBytes(MIB)), () => Promise.reject(new Error('taken over')));
    await expect(lost).rejects.toThrow('taken over');
    await object.close();
  });

  it('are not changed by a suspended writer that another has succeeded', async () => {
    const bytes = randomBytes(4 * MIB);
    await append(new LocalStorage(root), bytes.subarray(0, MIB), 0);
    const sleeper = await open(new LocalStorage(root), MIB);
    let wake = () => {};
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    let isReading = () => {};
    const reading = new Promise<void>((resolve) => (isReading = resolve));
    async function* suspended(): AsyncGenerator<Buffer> {
      yield randomBytes(MIB);
      isReading();
      await asleep;
      yield randomBytes(2 * MIB);
    }
    const sleeping = sleeper.append(suspended(), ignore);
    await reading;

    const successor = await open(new LocalStorage(root), MIB, 1);
    await successor.append(toChunkStream(bytes.subarray(MIB, 3 * MIB)), ignore);
    wake();
    await sleeping;
    expect(await sleeper.finish()).toBeNull();
    await sleeper.close();
    await successor.append(toChunkStream(bytes.subarray(3 * MIB)), ignore);
    expect(await successor.finish()).toEqual({ objectKey: key, size: bytes.length, sha256: digestOf(bytes) });
    await successor.close();
    expect((await new LocalStorage(root).readWhole(key, bytes.length)).equals(bytes)).toBe(true);
  });

  it.each([0, 1])(
    'are taken back when they were finished but never became a file (generation %i)',
    async (generation) => {
      const storage = new LocalStorage(root);
      const bytes = randomBytes(2 * MIB);
      await append(storage, bytes.subarray(0, MIB), 0);
      const object = await open(storage, MIB);
      await object.append(toChunkStream(Buffer.alloc(MIB, 'x')), ignore);
      await object.finish();
      await object.close();
      const next = await open(storage, MIB, generation);
      expect(await storage.stat(key)).toBeNull();
      await next.append(toChunkStream(bytes.subarray(MIB)), ignore);
      expect(await next.finish()).toMatchObject({ size: bytes.length, sha256: digestOf(bytes) });
      await next.close();
    },
  );

  it('are deleted with their key, also under their writer', async () => {
    const storage = new LocalStorage(root);
    const object = await open(storage, 0);
    await object.append(toChunkStream(randomBytes(MIB)), ignore);
    await storage.delete(key);
    expect(await object.finish()).toBeNull();
    await object.close();
    expect(await listKeys(storage.list(''))).toEqual([]);
    expect(await readdir(join(root, '.unfinished'))).toEqual([]);
    expect(await storage.openGrowing(key, { size: MIB, generation: 0 })).toBeNull();
  });

  it('are swept only when no row references them', async () => {
    const storage = new LocalStorage(root);
    await append(storage, randomBytes(10), 0);
    await utimes(join(growingFolder(), '0'), new Date(1000), new Date(1000));
    await storage.removeUnfinished(new Date(2000), (keys) => Promise.resolve(keys));
    expect(await readdir(growingFolder())).toEqual(['0']);
    await storage.removeUnfinished(new Date(2000), () => Promise.resolve([]));
    expect(await readdir(join(root, '.unfinished'))).toEqual([]);
  });
});
