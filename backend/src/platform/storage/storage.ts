import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BackpressureWriter } from '../streams/backpressure-writer.js';
import type { GrowingObject, GrowingState } from './growing-object.js';
import type { Multipart } from './multipart.js';
import { storageErrors } from './storage.errors.js';

/** Type of the storage; recorded with each file. */
export type StorageType = 'local' | 'gcs' | 's3';

export interface WriteOptions {
  /** Called after each chunk with the bytes received so far. */
  readonly onProgress?: (size: number) => void;
  /** Larger objects are rejected with OBJECT_TOO_LARGE while they are received. */
  readonly maxBytes?: number;
}

export interface WriteResult {
  /** In bytes. */
  readonly size: number;
  /** In lower-case hex. */
  readonly sha256: string;
}

export interface ObjectInfo {
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** Returns those of the keys that a row references. */
export type FindReferenced = (keys: readonly string[]) => Promise<readonly string[]>;

/** Bytes from `start` to `end`, inclusive and zero-based. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An open object whose bytes can be sent once. */
export interface OpenObject {
  /**
   * Writes the bytes to the target at its pace, without ending it. Must be called, because it closes the object.
   * @returns the bytes written: fewer when the object is shorter, or the target was closed
   * @throws STORAGE_UNAVAILABLE when the storage fails midway
   */
  sendTo(target: Writable): Promise<number>;
}

/** Response options of a signed URL, which needs no session. */
export interface SignedUrlOptions {
  /** The Content-Disposition header of the response. */
  readonly disposition: string;
  readonly contentType: string;
  /** In milliseconds. */
  readonly lifetime: number;
}

/** An address to which a part of an object can be sent with PUT, without a session. */
export interface SignedPart {
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Stores the bytes of files under generated keys (`newObjectKey`). Every driver passes the same contract tests. Storage
 * errors (missing, full, slow) become STORAGE_UNAVAILABLE; errors of the source pass through.
 */
export abstract class Storage {
  abstract readonly type: StorageType;

  /** Types of all storages whose objects can be read: two while the files are moved to another storage. */
  get types(): readonly StorageType[] {
    return [this.type];
  }

  /** Folders of this machine that hold objects. */
  get folders(): readonly string[] {
    return [];
  }

  /** How long a verified mark is trusted, in milliseconds. Unlike a disk, a bucket is never silently replaced. */
  abstract readonly markCacheTime: number;

  /**
   * Returns the text of the ownership mark (`ownership/storage-mark.ts`); null when there is none. `list` doesn't
   * include it.
   * @throws STORAGE_UNAVAILABLE
   */
  abstract readMark(): Promise<string | null>;

  /**
   * Writes the ownership mark atomically.
   * @param first only if there is none: of two concurrent writers one wins, and the other changes nothing
   * @throws STORAGE_UNAVAILABLE; StartupError when the location must be created first
   */
  abstract writeMark(text: string, first: boolean): Promise<void>;

  /**
   * Stores an object while it is received; memory use doesn't depend on its size. The object appears complete and
   * durable or not at all: if the source fails, nothing is left. A chunk of the source must stay unchanged only until
   * the next is requested.
   * @throws OBJECT_TOO_LARGE, STORAGE_UNAVAILABLE, and whatever the source throws
   */
  abstract write(key: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<WriteResult>;

  /**
   * Whether new objects can be extended after they were closed (`openGrowing`). In other storages they can be sent in
   * parts by several writers (`beginMultipart`).
   */
  abstract readonly canGrow: boolean;

  /**
   * Whether an object was begun here that isn't finished.
   * @param key only this object, and only with `openGrowing`; if omitted, any object, also one in parts
   */
  hasUnfinished(_key?: string): Promise<boolean> {
    return Promise.resolve(false);
  }

  /**
   * Opens an object that isn't finished, or begins it. There must be one writer at a time; a writer that may still be
   * active is excluded by a higher generation.
   * @returns null when bytes that were reported as durable are missing
   * @throws STORAGE_UNAVAILABLE; Error when objects can't grow here
   */
  openGrowing(_key: string, _state: GrowingState): Promise<GrowingObject | null> {
    return Promise.reject(new Error('Objects of this storage cannot grow.'));
  }

  /**
   * Begins an object that is sent in parts.
   * @returns the storage's id of it; one that isn't recorded is removed by `removeUnfinished`
   * @throws STORAGE_UNAVAILABLE; Error when this storage has no parts
   */
  beginMultipart(_key: string): Promise<string> {
    return noMultiparts();
  }

  /**
   * Sends a part, also again.
   * @param number starts at 1
   * @returns its ETag; null when the multipart upload no longer exists
   * @throws STORAGE_UNAVAILABLE
   */
  sendPart(_multipart: Multipart, _number: number, _bytes: Buffer<ArrayBuffer>): Promise<string | null> {
    return noMultiparts();
  }

  /** Whether browsers may send the parts of new objects to the storage itself (`signPart`). */
  get acceptsDirectParts(): boolean {
    return false;
  }

  /**
   * Signs an address for sending one part of this multipart upload, of exactly this size.
   * @param bytes of the part
   * @param lifetime in milliseconds; the address may end earlier, with the credentials that sign it
   * @returns null when the storage doesn't support that
   */
  signPart(_multipart: Multipart, _number: number, _bytes: number, _lifetime: number): Promise<SignedPart | null> {
    return Promise.resolve(null);
  }

  /**
   * Makes the parts an object. If only the response was lost, the object is found by its size.
   * @param etags of all parts, in order
   * @param size of the object, in bytes
   * @returns false when the multipart upload no longer exists, or has other parts
   * @throws STORAGE_UNAVAILABLE
   */
  completeMultipart(_multipart: Multipart, _etags: readonly string[], _size: number): Promise<boolean> {
    return noMultiparts();
  }

  /**
   * Discards a multipart upload and its parts; does nothing if it doesn't exist.
   * @throws STORAGE_UNAVAILABLE
   */
  abortMultipart(_multipart: Multipart): Promise<void> {
    return noMultiparts();
  }

  /**
   * Opens an object; errors occur before the first byte is sent. The caller must read or destroy the stream.
   * @throws STORAGE_UNAVAILABLE, also when the object doesn't exist
   */
  abstract read(key: string, range?: ByteRange): Promise<Readable>;

  /**
   * Opens a range of an object for sending (an empty one when it ends before it starts); errors occur before the first
   * byte is sent.
   * @throws STORAGE_UNAVAILABLE, also when the object doesn't exist
   */
  async openRange(key: string, range: ByteRange): Promise<OpenObject> {
    if (range.end < range.start) return { sendTo: () => Promise.resolve(0) };
    const stream = await this.read(key, range);
    return { sendTo: (target) => sendStream(stream, target) };
  }

  /**
   * Reads a small object completely.
   * @param size its size in bytes, at least 1
   * @throws STORAGE_UNAVAILABLE, also when it is shorter
   */
  async readWhole(key: string, size: number): Promise<Buffer> {
    const bytes = await buffer(await this.read(key, { start: 0, end: size - 1 }));
    if (bytes.byteLength < size) throw storageErrors.STORAGE_UNAVAILABLE();
    return bytes;
  }

  /** Returns information about an object, or null when it doesn't exist. */
  abstract stat(key: string): Promise<ObjectInfo | null>;

  /**
   * Like `stat`, of the storage that STORAGE_URL names, from which a web server may send files. While the files are
   * moved, others are used too.
   */
  statConfigured(key: string): Promise<ObjectInfo | null> {
    return this.stat(key);
  }

  /** Deletes an object, also one that is still growing; does nothing if it doesn't exist. */
  abstract delete(key: string): Promise<void>;

  /**
   * Renames an object; it exists under at least one of the keys at any time. Can be repeated after an interruption.
   * @returns false when the object doesn't exist: it was already moved or deleted
   * @throws STORAGE_UNAVAILABLE
   */
  async move(from: string, to: string): Promise<boolean> {
    if (!(await this.stat(from))) return false;
    await this.copy(from, to);
    await this.delete(from);
    return true;
  }

  /**
   * Copies an object under a new key, which is independent of the first afterwards. The copy appears complete and
   * durable or not at all.
   * @throws STORAGE_UNAVAILABLE, also when the object doesn't exist
   */
  async copy(from: string, to: string): Promise<void> {
    await this.write(to, await this.read(from));
  }

  /**
   * Lists all objects whose key begins with `prefix`, in no guaranteed order; unfinished writes are omitted. The cost
   * of a prefix that ends with a slash depends only on the objects under it.
   */
  abstract list(prefix: string): AsyncIterable<ObjectInfo>;

  /**
   * Removes unfinished writes of crashed processes that are older than `before`.
   * @param findReferenced of growing objects and multipart uploads, those whose keys it returns are kept; if omitted,
   *   none
   */
  abstract removeUnfinished(before: Date, findReferenced?: FindReferenced): Promise<void>;

  /** Returns a temporary public URL that serves the object directly; null when the storage doesn't support that. */
  signedUrl(_key: string, _read: SignedUrlOptions): Promise<string | null> {
    return Promise.resolve(null);
  }
}

function noMultiparts(): Promise<never> {
  return Promise.reject(new Error('Objects of this storage are not sent in parts.'));
}

/** Leaving the loop destroys the stream in any case. */
async function sendStream(stream: Readable, target: Writable): Promise<number> {
  let sent = 0;
  const writer = new BackpressureWriter(target);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (target.destroyed) break;
      sent += chunk.byteLength;
      await writer.write(chunk);
    }
    return sent;
  } finally {
    writer.stop();
    stream.destroy();
  }
}

/** Returns a new random key of an object family, spread over 256 folders, without any user input. */
export function newObjectKey(family: string): string {
  const name = randomBytes(20).toString('hex');
  return `${family}/${name.slice(0, 2)}/${name}`;
}

/** @throws Error for keys that `newObjectKey` can't have created, so that a key never leads out of the storage */
export function assertObjectKey(key: string): void {
  if (!/^[a-z0-9]+(?:\/[a-z0-9]+)*$/.test(key)) throw new Error('This is not a key of the storage.');
}

/** @throws Error for anything that no key begins with */
export function assertPrefix(prefix: string): void {
  if (!/^(?:[a-z0-9]+\/)*[a-z0-9]*$/.test(prefix)) throw new Error('This is not a prefix of keys.');
}

/** Returns the 256 prefixes over which the keys of a family are spread. */
export function keyPrefixesOf(family: string): string[] {
  return Array.from({ length: 256 }, (_, index) => `${family}/${index.toString(16).padStart(2, '0')}/`);
}
