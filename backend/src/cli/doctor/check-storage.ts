import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DiskReserve } from '../../platform/storage/disk-reserve.js';
import type { StorageIdentity } from '../../platform/storage/identity/storage-identity.js';
import { newKey, type Storage } from '../../platform/storage/storage.js';
import { findings, reasonOf, type Finding } from './finding.js';

const { ok, warn, bad } = findings('storage');
const GIB = 2 ** 30;
/** Less than so many times the reserve is worth a word. */
const NEAR = 2;

/** Whose it is, whether it takes and gives back an object, and the room on its disk. A storage that nobody has used yet is not marked by this. */
export async function checkStorage(
  storage: Storage,
  identity: StorageIdentity,
  disk: DiskReserve,
  isMarked: boolean,
): Promise<Finding[]> {
  const room = await checkRoom(disk);
  if (!isMarked) return [warn('It has not been used yet: the first start marks it.'), ...room];
  const state = await identity.state();
  if (state.kind !== 'own') return [bad(state.sentence), ...room];
  return [ok('It carries the mark of this installation.'), await writeAndRead(storage), ...room];
}

async function writeAndRead(storage: Storage): Promise<Finding> {
  const [key, bytes] = [newKey('doctor'), randomBytes(1000)];
  try {
    await storage.write(key, Readable.from([bytes]));
    const same = bytes.equals(await buffer(await storage.read(key)));
    await storage.delete(key);
    return same
      ? ok('An object was written, read and deleted.')
      : bad('An object came back with other bytes: look at the disk, or the bucket.');
  } catch (error) {
    return bad(
      `An object could not be written, read and deleted (${reasonOf(error)}): look at the rights of this account, and at the room there.`,
    );
  }
}

async function checkRoom(disk: DiskReserve): Promise<Finding[]> {
  const space = await disk.space();
  if (!space) return [];
  const [free, kept] = [space.free, space.reserve].map((bytes) => (bytes / GIB).toFixed(1));
  if (space.free <= space.reserve) {
    return [
      bad(
        `${free} GB are free, of which ${kept} are kept for the database: files are refused. Make room, or lower DISK_RESERVE.`,
      ),
    ];
  }
  if (space.free < NEAR * space.reserve)
    return [warn(`${free} GB are free; at ${kept} files are refused. Make room soon.`)];
  return [ok(`${free} GB are free; at ${kept} files are refused.`)];
}
