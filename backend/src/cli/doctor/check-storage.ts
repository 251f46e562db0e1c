import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DiskReserve } from '../../platform/storage/disk-reserve.js';
import type { StorageOwnershipGuard } from '../../platform/storage/ownership/storage-ownership-guard.js';
import { newObjectKey, type Storage } from '../../platform/storage/storage.js';
import { createFindings, describeReason, type Finding } from './finding.js';

const { ok, warn, bad } = createFindings('storage');
const GIB = 2 ** 30;
/** Warn when free space is below this multiple of the reserve. */
const WARNING_FACTOR = 2;

/**
 * Checks the ownership of the storage, a write and read, and free disk space. Doesn't mark a storage that has never
 * been used.
 */
export async function checkStorage(
  storage: Storage,
  identity: StorageOwnershipGuard,
  disk: DiskReserve,
  isMarked: boolean,
): Promise<Finding[]> {
  const room = await checkFreeSpace(disk);
  if (!isMarked) return [warn("It hasn't been used yet. The first start marks it."), ...room];
  const state = await identity.checkState();
  if (state.kind !== 'own') return [bad(state.sentence), ...room];
  return [ok('It belongs to this installation.'), await checkReadWrite(storage), ...room];
}

async function checkReadWrite(storage: Storage): Promise<Finding> {
  const [key, bytes] = [newObjectKey('doctor'), randomBytes(1000)];
  try {
    await storage.write(key, Readable.from([bytes]));
    const same = bytes.equals(await buffer(await storage.read(key)));
    await storage.delete(key);
    return same
      ? ok('An object was written, read and deleted.')
      : bad('An object was read back with different bytes. Check the disk or the bucket.');
  } catch (error) {
    return bad(
      `Couldn't write, read and delete an object (${describeReason(error)}). Check the permissions of this account and the free space.`,
    );
  }
}

async function checkFreeSpace(disk: DiskReserve): Promise<Finding[]> {
  const space = await disk.findFullestDisk();
  if (!space) return [];
  const [free, reserved] = [space.free, space.reserve].map((bytes) => (bytes / GIB).toFixed(1));
  if (space.free <= space.reserve) {
    return [
      bad(
        `${free} GB are free, but ${reserved} GB are reserved for the database, so uploads are rejected. Free up space or lower DISK_RESERVE.`,
      ),
    ];
  }
  if (space.free < WARNING_FACTOR * space.reserve)
    return [warn(`${free} GB are free. Below ${reserved} GB, uploads are rejected. Free up space soon.`)];
  return [ok(`${free} GB are free. Below ${reserved} GB, uploads are rejected.`)];
}
