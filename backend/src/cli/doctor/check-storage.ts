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
  if (!isMarked) return [warn("It hasn't been used yet. The first start marks it."), ...room];
  const state = await identity.state();
  if (state.kind !== 'own') return [bad(state.sentence), ...room];
  return [ok('It belongs to this installation.'), await writeAndRead(storage), ...room];
}

async function writeAndRead(storage: Storage): Promise<Finding> {
  const [key, bytes] = [newKey('doctor'), randomBytes(1000)];
  try {
    await storage.write(key, Readable.from([bytes]));
    const same = bytes.equals(await buffer(await storage.read(key)));
    await storage.delete(key);
    return same
      ? ok('An object was written, read and deleted.')
      : bad('An object was read back with different bytes. Check the disk or the bucket.');
  } catch (error) {
    return bad(
      `Couldn't write, read and delete an object (${reasonOf(error)}). Check the permissions of this account and the free space.`,
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
        `${free} GB are free, but ${kept} GB are reserved for the database, so uploads are refused. Free up space or lower DISK_RESERVE.`,
      ),
    ];
  }
  if (space.free < NEAR * space.reserve)
    return [warn(`${free} GB are free. Below ${kept} GB, uploads are refused. Free up space soon.`)];
  return [ok(`${free} GB are free. Below ${kept} GB, uploads are refused.`)];
}
