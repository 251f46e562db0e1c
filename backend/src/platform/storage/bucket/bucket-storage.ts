import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { storageErrors } from '../storage.errors.js';
import type { Multipart } from '../multipart.js';
import { assertObjectKey, Storage, type FindReferenced, type WriteOptions, type WriteResult } from '../storage.js';
import { DEFAULT_TIMEOUTS, toStorageError, withStorageErrors, type BucketTimeouts } from './bucket-call.js';
import type { BucketMultipart, ListedMultipart } from './bucket-multipart.js';
import type { BucketUpload } from './bucket-upload.js';

/** How long the cleanup after a failure may delay the response, in milliseconds; the sweep deletes what is left. */
const CLEANUP_TIMEOUT = 3000;

const logger = new Logger('Storage');

/** Stores objects in a bucket of a cloud service, under an optional prefix. */
export abstract class BucketStorage extends Storage {
  readonly markCacheTime: number = 60_000;
  readonly canGrow: boolean = false;

  /** @param prefix begins the name of every object; empty, or ends with a slash */
  constructor(
    protected readonly prefix: string,
    protected readonly timeouts: BucketTimeouts = DEFAULT_TIMEOUTS,
  ) {
    super();
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions = {}): Promise<WriteResult> {
    const name = this.objectNameOf(key);
    const { maxBytes = Infinity, onProgress } = options;
    const upload = this.createUpload(name);
    const sha256 = createHash('sha256');
    let size = 0;
    let finishing = false;
    try {
      for await (const chunk of source) {
        size += chunk.byteLength;
        if (size > maxBytes) throw storageErrors.OBJECT_TOO_LARGE();
        sha256.update(chunk);
        await upload.push(chunk);
        onProgress?.(size);
      }
      finishing = true;
      await upload.finish();
      return { size, sha256: sha256.digest('hex') };
    } catch (error) {
      await this.discard(upload, finishing ? name : null);
      throw toStorageError(error);
    }
  }

  async delete(key: string): Promise<void> {
    await withStorageErrors(() => this.remove(this.objectNameOf(key)));
  }

  override async hasUnfinished(key?: string): Promise<boolean> {
    if (key !== undefined) return false;
    for await (const _ of this.listMultiparts()) return true;
    return false;
  }

  override beginMultipart(key: string): Promise<string> {
    return withStorageErrors(() => this.createMultipart(this.objectNameOf(key)));
  }

  override sendPart(multipart: Multipart, number: number, bytes: Buffer<ArrayBuffer>): Promise<string | null> {
    return withStorageErrors(() => this.open(multipart).send(number, bytes));
  }

  override completeMultipart(multipart: Multipart, etags: readonly string[], size: number): Promise<boolean> {
    return withStorageErrors(() => this.open(multipart).complete(etags, size));
  }

  override abortMultipart(multipart: Multipart): Promise<void> {
    return withStorageErrors(() => this.open(multipart).abort());
  }

  /** Services that can't list uploads remove them by a rule of the bucket (docs/operations/storage.md). */
  async removeUnfinished(before: Date, findReferenced?: FindReferenced): Promise<void> {
    await withStorageErrors(async () => {
      for await (const { name, remoteId, begunAt } of this.listMultiparts()) {
        if (begunAt >= before) continue;
        const isReferenced = (await findReferenced?.([name.slice(this.prefix.length)]))?.length;
        if (!isReferenced) await this.openMultipart(name, remoteId).abort();
      }
    });
  }

  protected abstract createUpload(name: string): BucketUpload;

  /** Begins a multipart upload and returns its id. */
  protected abstract createMultipart(name: string): Promise<string>;

  protected abstract openMultipart(name: string, remoteId: string): BucketMultipart;

  /** Lists the multipart uploads under the prefix. */
  protected abstract listMultiparts(): AsyncIterable<ListedMultipart>;

  /**
   * Deletes an object, with retries; does nothing if it doesn't exist.
   * @param patience milliseconds, for a single attempt
   */
  protected abstract remove(name: string, patience?: number): Promise<void>;

  protected objectNameOf(key: string): string {
    assertObjectKey(key);
    return this.prefix + key;
  }

  private open({ objectKey, remoteId }: Multipart): BucketMultipart {
    return this.openMultipart(this.objectNameOf(objectKey), remoteId);
  }

  /** @param name the object that may already exist because the last bytes were sent */
  private async discard(upload: BucketUpload, name: string | null): Promise<void> {
    await logFailure(upload.cancel(CLEANUP_TIMEOUT));
    if (name !== null) await logFailure(this.remove(name, CLEANUP_TIMEOUT));
  }
}

async function logFailure(cleanup: Promise<void>): Promise<void> {
  try {
    await cleanup;
  } catch (error) {
    logger.warn({ err: error }, "Couldn't delete what a failed upload has left in the bucket; it is removed later");
  }
}
