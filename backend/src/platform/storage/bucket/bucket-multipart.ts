import { BucketError } from './bucket-call.js';
import type { UploadBytes } from './bucket-upload.js';

/** Errors after which the parts can never become an object. */
const REJECTIONS = ['NoSuchUpload', 'InvalidPart', 'EntityTooSmall'];

/** A multipart upload that a bucket lists. */
export interface ListedMultipart {
  readonly name: string;
  readonly remoteId: string;
  readonly begunAt: Date;
}

/** Calls of one multipart upload of a bucket. */
export abstract class BucketMultipart {
  /** Sends a part and returns its ETag; null when the upload no longer exists. */
  abstract send(number: number, bytes: UploadBytes): Promise<string | null>;

  /** @param patience milliseconds, for a single attempt; if omitted, temporary errors are retried */
  abstract abort(patience?: number): Promise<void>;

  /**
   * Makes the parts an object.
   * @param etags of all parts, in order
   * @returns false when the upload no longer exists, or has other parts
   */
  async complete(etags: readonly string[], size: number): Promise<boolean> {
    try {
      await this.completeParts(etags);
    } catch (error) {
      // If only the response was lost, a repeated call finds no upload, but the object exists.
      if ((await this.readSize().catch(() => null)) === size) return true;
      if (isRejected(error)) return false;
      throw error;
    }
    // Some services answer 200 before they fail.
    if ((await this.readSize()) !== size) throw new BucketError('complete', 200, 'other bytes', false);
    return true;
  }

  protected abstract completeParts(etags: readonly string[]): Promise<void>;

  /** Returns the size of the object in bytes; null when it doesn't exist. */
  protected abstract readSize(): Promise<number | null>;
}

/** Resolves to null when the multipart upload doesn't exist. */
export async function nullIfNoUpload<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof BucketError && error.reason === 'NoSuchUpload') return null;
    throw error;
  }
}

function isRejected(error: unknown): boolean {
  return error instanceof BucketError && REJECTIONS.includes(error.reason);
}
