import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readlink,
  rm,
  truncate,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { LocalStorage } from '../../../src/platform/storage/local/local-storage.js';
import { newObjectKey } from '../../../src/platform/storage/storage.js';
import { toChunkStream, describeStorageContract } from './storage.contract.js';

const folders: string[] = [];

async function createFolder(): Promise<string> {
  const folderPath = await mkdtemp(join(tmpdir(), 'zonary-storage-'));
  folders.push(folderPath);
  return folderPath;
}

afterAll(() => Promise.all(folders.map((folderPath) => rm(folderPath, { recursive: true, force: true }))));

describeStorageContract('LocalStorage', async () => new LocalStorage(await createFolder()));

describe('LocalStorage on disk', () => {
  /** Writes to `/dev/full`, so that the error is the kernel's own. */
  class FullDisk extends LocalStorage {
    protected override openDraft(): Promise<FileHandle> {
      return open('/dev/full', 'r+');
    }
  }

  it('returns 503 on a full disk and stores nothing', async () => {
    const storage = new FullDisk(await createFolder());
    const key = newObjectKey('files');
    const attempt = storage.write(key, toChunkStream(Buffer.alloc(2_000_000)));
    await expect(attempt).rejects.toMatchObject({ status: 503, code: 'STORAGE_UNAVAILABLE' });
    expect(await storage.stat(key)).toBeNull();
  });

  it('copies the bytes where the file system has no hard links', async () => {
    class DiskWithoutLinks extends LocalStorage {
      protected override linkFile(): Promise<void> {
        return Promise.reject(Object.assign(new Error('operation not permitted'), { code: 'EPERM' }));
      }
    }
    const root = await createFolder();
    const storage = new DiskWithoutLinks(root);
    const [key, other] = [newObjectKey('files'), newObjectKey('files')];
    await storage.write(key, toChunkStream(Buffer.from('shared')));
    await storage.copy(key, other);
    expect(await storage.readWhole(other, 6)).toEqual(Buffer.from('shared'));
    expect(await readdir(join(root, '.unfinished'))).toEqual([]);
  });

  it('returns 503 when its folder cannot be created', async () => {
    const root = await createFolder();
    await writeFile(join(root, 'file'), '');
    const storage = new LocalStorage(join(root, 'file', 'inside'));
    const attempt = storage.write(newObjectKey('files'), toChunkStream(Buffer.from('x')));
    await expect(attempt).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('creates its folder with the first mark only, and no folder above it', async () => {
    const above = await createFolder();
    const root = join(above, 'files');
    const storage = new LocalStorage(root);
    const write = () => storage.write(newObjectKey('files'), toChunkStream(Buffer.from('x')));
    await expect(write()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await storage.writeMark('mark', true);
    expect((await write()).size).toBe(1);
    await rm(above, { recursive: true });
    await expect(write()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await expect(storage.writeMark('mark', true)).rejects.toThrow(/The folder .* doesn't exist/);
    await expect(readdir(above)).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(above);
    await expect(write()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await readdir(above)).toEqual([]);
  });

  it('closes files after sending, before sending and on failure', async () => {
    const root = await createFolder();
    const storage = new LocalStorage(root);
    const key = newObjectKey('files');
    await storage.write(key, toChunkStream(Buffer.alloc(3_000_000)));
    const range = { start: 0, end: 2_999_999 };
    const open = async () => {
      const names = await readdir('/proc/self/fd');
      const links = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
      return links.filter((path) => path.startsWith(root)).length;
    };
    await (await storage.openRange(key, range)).sendTo(new PassThrough().resume());
    const destroyed = new PassThrough().destroy();
    await (await storage.openRange(key, range)).sendTo(destroyed);
    const stalled = new PassThrough();
    const sending = (await storage.openRange(key, range)).sendTo(stalled);
    await once(stalled, 'readable');
    expect(await open()).toBe(1);
    stalled.destroy();
    expect(await sending).toBeLessThan(3_000_000);
    await truncate(join(root, key), 1_000_000);
    expect(await (await storage.openRange(key, range)).sendTo(new PassThrough().resume())).toBe(1_000_000);
    expect(await open()).toBe(0);
  });

  it('returns 503 when the disk fills up during any number of writes', async () => {
    /** Accepts 1 MB and fails after that. */
    class SmallDisk extends LocalStorage {
      protected override async openDraft(path: string): Promise<FileHandle> {
        const handle = await super.openDraft(path);
        const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        const write = handle.write.bind(handle) as (...all: unknown[]) => Promise<unknown>;
        const limited = (bytes: Uint8Array, at: number, length: number, position: number) => {
          const freeBytes = 1_000_000 - position;
          return freeBytes <= 0 ? Promise.reject(full) : write(bytes, at, Math.min(length, freeBytes), position);
        };
        return Object.assign(handle, { write: limited as unknown as typeof handle.write });
      }
    }
    const root = await createFolder();
    const storage = new SmallDisk(root);
    for (const size of [1_200_000, 9_000_000]) {
      const attempt = storage.write(newObjectKey('files'), toChunkStream(randomBytes(size)));
      await expect(attempt).rejects.toMatchObject({ status: 503, code: 'STORAGE_UNAVAILABLE' });
    }
    expect(await readdir(join(root, '.unfinished'))).toEqual([]);
    expect((await storage.write(newObjectKey('files'), toChunkStream(randomBytes(900_000)))).size).toBe(900_000);
    expect((await storage.write(newObjectKey('files'), toChunkStream(randomBytes(1_000_000)))).size).toBe(1_000_000);
  });

  it('continues after a partial write', async () => {
    /** Writes an odd number of bytes at a time. */
    class ReluctantDisk extends LocalStorage {
      protected override async openDraft(path: string): Promise<FileHandle> {
        const handle = await super.openDraft(path);
        const write = handle.write.bind(handle) as (...all: unknown[]) => Promise<unknown>;
        const some = (bytes: Uint8Array, at: number, length: number, position: number) =>
          write(bytes, at, Math.min(length, 300_007), position);
        return Object.assign(handle, { write: some as unknown as typeof handle.write });
      }
    }
    const storage = new ReluctantDisk(await createFolder());
    const key = newObjectKey('files');
    const bytes = randomBytes(3_000_000);
    await storage.write(key, toChunkStream(bytes, 70_001));
    expect((await storage.readWhole(key, bytes.length)).equals(bytes)).toBe(true);
  });

  it('accepts single bytes', async () => {
    const storage = new LocalStorage(await createFolder());
    const key = newObjectKey('files');
    const bytes = randomBytes(3000);
    expect((await storage.write(key, toChunkStream(bytes, 1))).size).toBe(3000);
    expect((await storage.readWhole(key, bytes.length)).equals(bytes)).toBe(true);
  });

  it('hides unfinished files of dead writers and removes old ones', async () => {
    const root = await createFolder();
    const storage = new LocalStorage(root);
    await storage.write(newObjectKey('files'), toChunkStream(Buffer.from('x')));
    const [old, fresh] = [join(root, '.unfinished', 'old'), join(root, '.unfinished', 'fresh')];
    await writeFile(old, 'half');
    await writeFile(fresh, 'half');
    await utimes(old, new Date(1000), new Date(1000));
    const listed: string[] = [];
    for await (const { key } of storage.list('')) listed.push(key);
    expect(listed).toHaveLength(1);
    await storage.removeUnfinished(new Date(2000));
    expect(await readdir(join(root, '.unfinished'))).toEqual(['fresh']);
  });

  it('leaves no unfinished file after a failed source', async () => {
    const root = await createFolder();
    const storage = new LocalStorage(root);
    const broken = async function* () {
      yield Buffer.alloc(1_000_000);
      throw new Error('cut');
    };
    await expect(storage.write(newObjectKey('files'), broken())).rejects.toThrow('cut');
    expect(await readdir(join(root, '.unfinished'))).toEqual([]);
  });
});
