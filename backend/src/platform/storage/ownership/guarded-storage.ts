import type { Readable } from 'node:stream';
import { AppError } from '../../errors/app-error.js';
import type { DiskReserve } from '../disk-reserve.js';
import type { GrowingObject, GrowingState } from '../growing-object.js';
import type { Multipart } from '../multipart.js';
import {
  Storage,
  type ByteRange,
  type FindReferenced,
  type ObjectInfo,
  type OpenObject,
  type SignedPart,
  type SignedUrlOptions,
  type StorageType,
  type WriteOptions,
  type WriteResult,
} from '../storage.js';
import type { StorageOwnershipGuard } from './storage-ownership-guard.js';

/**
 * The storage for general use. Verifies that it belongs to this installation before anything is written, moved, deleted
 * or reported missing, and writes nothing into the disk's reserve.
 */
export class GuardedStorage extends Storage {
  constructor(
    private readonly driver: Storage,
    private readonly ownership: StorageOwnershipGuard,
    private readonly reserve: DiskReserve,
  ) {
    super();
  }

  get type(): StorageType {
    return this.driver.type;
  }

  override get types(): readonly StorageType[] {
    return this.driver.types;
  }

  override get folders(): readonly string[] {
    return this.driver.folders;
  }

  override get markCacheTime(): number {
    return this.driver.markCacheTime;
  }

  override get canGrow(): boolean {
    return this.driver.canGrow;
  }

  override hasUnfinished(key?: string): Promise<boolean> {
    return this.invalidateOnError(() => this.driver.hasUnfinished(key));
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<WriteResult> {
    await this.ownership.assertOwned();
    await this.reserve.assertFreeSpace();
    return this.invalidateOnError(() => this.driver.write(key, this.reserve.guardStream(source), options));
  }

  override async openGrowing(key: string, state: GrowingState): Promise<GrowingObject | null> {
    await this.ownership.assertOwned();
    await this.reserve.assertFreeSpace();
    const object = await this.invalidateOnError(() => this.driver.openGrowing(key, state));
    return object && this.guardGrowing(object);
  }

  override async beginMultipart(key: string): Promise<string> {
    await this.ownership.assertOwned();
    await this.reserve.assertFreeSpace();
    return this.invalidateOnError(() => this.driver.beginMultipart(key));
  }

  override async sendPart(multipart: Multipart, number: number, bytes: Buffer<ArrayBuffer>): Promise<string | null> {
    await this.ownership.assertOwned();
    return this.invalidateOnError(() => this.driver.sendPart(multipart, number, bytes));
  }

  override get acceptsDirectParts(): boolean {
    return this.driver.acceptsDirectParts;
  }

  override async signPart(
    multipart: Multipart,
    number: number,
    bytes: number,
    lifetime: number,
  ): Promise<SignedPart | null> {
    await this.ownership.assertOwned();
    return this.driver.signPart(multipart, number, bytes, lifetime);
  }

  override async completeMultipart(multipart: Multipart, etags: readonly string[], size: number): Promise<boolean> {
    await this.ownership.assertOwned();
    return this.invalidateOnError(() => this.driver.completeMultipart(multipart, etags, size));
  }

  override async abortMultipart(multipart: Multipart): Promise<void> {
    await this.ownership.assertRemovalAllowed();
    await this.invalidateOnError(() => this.driver.abortMultipart(multipart));
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    return this.invalidateOnError(() => this.driver.read(key, range));
  }

  override async openRange(key: string, range: ByteRange): Promise<OpenObject> {
    return this.invalidateOnError(() => this.driver.openRange(key, range));
  }

  override async readWhole(key: string, size: number): Promise<Buffer> {
    return this.invalidateOnError(() => this.driver.readWhole(key, size));
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const found = await this.invalidateOnError(() => this.driver.stat(key));
    // Only the right storage can tell that an object doesn't exist.
    if (found === null) await this.ownership.assertOwned();
    return found;
  }

  override statConfigured(key: string): Promise<ObjectInfo | null> {
    return this.invalidateOnError(() => this.driver.statConfigured(key));
  }

  async delete(key: string): Promise<void> {
    await this.ownership.assertRemovalAllowed();
    await this.invalidateOnError(() => this.driver.delete(key));
  }

  override async move(from: string, to: string): Promise<boolean> {
    await this.ownership.assertRemovalAllowed();
    return this.invalidateOnError(() => this.driver.move(from, to));
  }

  override async copy(from: string, to: string): Promise<void> {
    await this.ownership.assertOwned();
    await this.reserve.assertFreeSpace();
    await this.invalidateOnError(() => this.driver.copy(from, to));
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    await this.ownership.assertOwned();
    yield* this.driver.list(prefix);
    await this.ownership.assertOwned();
  }

  async removeUnfinished(before: Date, findReferenced?: FindReferenced): Promise<void> {
    await this.ownership.assertRemovalAllowed();
    await this.driver.removeUnfinished(before, findReferenced);
  }

  override signedUrl(key: string, read: SignedUrlOptions): Promise<string | null> {
    return this.driver.signedUrl(key, read);
  }

  readMark(): Promise<string | null> {
    return this.driver.readMark();
  }

  writeMark(text: string, first: boolean): Promise<void> {
    return this.driver.writeMark(text, first);
  }

  private guardGrowing(object: GrowingObject): GrowingObject {
    return {
      get size() {
        return object.size;
      },
      append: (source, onDurable) =>
        this.invalidateOnError(() => object.append(this.reserve.guardStream(source), onDurable)),
      finish: () => this.invalidateOnError(() => object.finish()),
      close: () => object.close(),
    };
  }

  private async invalidateOnError<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      if (error instanceof AppError && error.status >= 500) this.ownership.invalidate();
      throw error;
    }
  }
}
