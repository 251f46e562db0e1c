import type { Readable } from 'node:stream';
import { AppError } from '../../errors/app-error.js';
import type { DiskReserve } from '../disk-reserve.js';
import {
  Storage,
  type ByteRange,
  type ObjectInfo,
  type OpenObject,
  type SignedRead,
  type StorageType,
  type WriteOptions,
  type Written,
} from '../storage.js';
import type { StorageIdentity } from './storage-identity.js';

/**
 * The storage as everybody uses it: nothing is written, moved, deleted or found missing before it is known to be the one of
 * this installation, and nothing is written into the reserve of the disk.
 */
export class MarkedStorage extends Storage {
  override readonly markTrust: number;

  constructor(
    private readonly driver: Storage,
    private readonly identity: StorageIdentity,
    private readonly reserve: DiskReserve,
  ) {
    super();
    this.markTrust = driver.markTrust;
  }

  get type(): StorageType {
    return this.driver.type;
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<Written> {
    await this.identity.confirm();
    await this.reserve.confirm();
    return this.watched(() => this.driver.write(key, this.reserve.guard(source), options));
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    return this.watched(() => this.driver.read(key, range));
  }

  override async openRange(key: string, range: ByteRange): Promise<OpenObject> {
    return this.watched(() => this.driver.openRange(key, range));
  }

  override async readWhole(key: string, size: number): Promise<Buffer> {
    return this.watched(() => this.driver.readWhole(key, size));
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const found = await this.watched(() => this.driver.stat(key));
    // Only of the right storage it may be said that something is not there.
    if (found === null) await this.identity.confirm();
    return found;
  }

  async delete(key: string): Promise<void> {
    await this.identity.confirmRemoval();
    await this.watched(() => this.driver.delete(key));
  }

  override async move(from: string, to: string): Promise<boolean> {
    await this.identity.confirmRemoval();
    return this.watched(() => this.driver.move(from, to));
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    await this.identity.confirm();
    yield* this.driver.list(prefix);
    await this.identity.confirm();
  }

  async removeUnfinished(before: Date): Promise<void> {
    await this.identity.confirmRemoval();
    await this.driver.removeUnfinished(before);
  }

  override signedUrl(key: string, read: SignedRead): Promise<string | null> {
    return this.driver.signedUrl(key, read);
  }

  readMark(): Promise<string | null> {
    return this.driver.readMark();
  }

  writeMark(text: string, first: boolean): Promise<void> {
    return this.driver.writeMark(text, first);
  }

  private async watched<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      if (error instanceof AppError && error.status >= 500) this.identity.doubt();
      throw error;
    }
  }
}
