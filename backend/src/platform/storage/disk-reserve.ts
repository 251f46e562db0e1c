import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { storageErrors } from './storage.errors.js';

/** Bytes that come in before the disk is looked at again. */
const CHECK_INTERVAL_BYTES = 32 * 1024 * 1024;

/** How much of the disks is left to the database and its log: the smaller of both for the default. */
export interface ReserveRule {
  readonly bytes: number | null;
  readonly share: number | null;
}

export interface DiskSpace {
  /** Bytes that can still be written. */
  readonly free: number;
  /** Bytes of the whole disk. */
  readonly total: number;
}

/** Tells the room on disks. */
@Injectable()
export class DiskProbe {
  private readonly logger = new Logger('Storage');

  /** The room on the disk of a folder; null when it cannot be told, as for a folder that is not there. */
  async measure(folder: string): Promise<DiskSpace | null> {
    try {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { free: bavail * bsize, total: blocks * bsize };
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT';
      if (isThere) this.logger.warn({ err: error }, 'The room on a disk cannot be told');
      return null;
    }
  }
}

/**
 * Keeps room on the disks: contents stop coming in while there is still some for the database, which could not even
 * delete anything without.
 */
export class DiskReserve {
  /**
   * @param folders whose disks are watched
   * @param guarded false when contents are kept elsewhere and do not fill these disks
   */
  constructor(
    private readonly folders: readonly string[],
    private readonly reserve: ReserveRule,
    private readonly isEnforced: boolean,
    private readonly probe: DiskProbe,
  ) {}

  /** The fullest of the disks, with the bytes that are kept; null when none can be told. */
  async findFullestDisk(): Promise<(DiskSpace & { readonly reserve: number }) | null> {
    const disks = await Promise.all(this.folders.map((folder) => this.probe.measure(folder)));
    const known = disks.flatMap((disk) => (disk ? [{ ...disk, reserve: this.reserveOf(disk) }] : []));
    return known.sort((a, b) => a.free - a.reserve - (b.free - b.reserve))[0] ?? null;
  }

  /**
   * Passes while there is more than the reserve.
   * @throws DISK_FULL
   */
  async assertFreeSpace(): Promise<void> {
    if (!this.isEnforced) return;
    const space = await this.findFullestDisk();
    if (space && space.free <= space.reserve) throw storageErrors.DISK_FULL();
  }

  /** The same bytes, looking at the disk from time to time. */
  async *guardStream(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let since = 0;
    for await (const chunk of source) {
      since += chunk.byteLength;
      if (since >= CHECK_INTERVAL_BYTES) {
        await this.assertFreeSpace();
        since = 0;
      }
      yield chunk;
    }
  }

  private reserveOf({ total }: DiskSpace): number {
    const { bytes, share } = this.reserve;
    return Math.min(bytes ?? Infinity, share === null ? Infinity : Math.floor(total * share));
  }
}
