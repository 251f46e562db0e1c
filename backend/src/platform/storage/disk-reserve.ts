import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { storageErrors } from './storage.errors.js';

/** Bytes received between two checks of the disk. */
const CHECK_INTERVAL_BYTES = 32 * 1024 * 1024;

/** Disk space reserved for the database and its log; if both are set, the smaller applies. */
export interface ReserveRule {
  readonly bytes: number | null;
  readonly share: number | null;
}

export interface DiskSpace {
  /** Bytes that can still be written. */
  readonly free: number;
  /** Size of the disk, in bytes. */
  readonly total: number;
}

/** Measures free disk space. */
@Injectable()
export class DiskProbe {
  private readonly logger = new Logger('Storage');

  /**
   * Returns the space on the disk of a folder; null when it is unknown, for example because the folder doesn't exist.
   */
  async measure(folder: string): Promise<DiskSpace | null> {
    try {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { free: bavail * bsize, total: blocks * bsize };
    } catch (error) {
      const exists = (error as NodeJS.ErrnoException).code !== 'ENOENT';
      if (exists) this.logger.warn({ err: error }, "Couldn't read the free space of a disk");
      return null;
    }
  }
}

/**
 * Reserves disk space: uploads stop while there is still space for the database, which could otherwise not even delete
 * anything.
 */
export class DiskReserve {
  /**
   * @param dataDir its disk is watched
   * @param storageFolder returns the folder in which uploads are stored; null when they are stored elsewhere and don't
   *   fill a disk
   */
  constructor(
    private readonly dataDir: string,
    private readonly storageFolder: () => string | null,
    private readonly reserve: ReserveRule,
    private readonly probe: DiskProbe,
  ) {}

  /** Returns the fullest disk and its reserve in bytes; null when none can be measured. */
  async findFullestDisk(): Promise<(DiskSpace & { readonly reserve: number }) | null> {
    const folder = this.storageFolder();
    const folders = folder === null ? [this.dataDir] : [folder, this.dataDir];
    const disks = await Promise.all(folders.map((path) => this.probe.measure(path)));
    const known = disks.flatMap((disk) => (disk ? [{ ...disk, reserve: this.reserveOf(disk) }] : []));
    return known.sort((a, b) => a.free - a.reserve - (b.free - b.reserve))[0] ?? null;
  }

  /**
   * Checks that free space exceeds the reserve.
   * @throws DISK_FULL
   */
  async assertFreeSpace(): Promise<void> {
    if (this.storageFolder() === null) return;
    const space = await this.findFullestDisk();
    if (space && space.free <= space.reserve) throw storageErrors.DISK_FULL();
  }

  /** Passes a stream through, checking the disk from time to time. */
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
