import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BackpressureWriter } from '../streams/backpressure-writer.js';
import { storageErrors } from './storage.errors.js';

/** Where bytes lie: recorded with each file. */
export type StorageType = 'local' | 'gcs';

export interface WriteOptions {
  /** Called with the bytes taken so far, after each chunk. */
  readonly onProgress?: (size: number) => void;
  /** More bytes than this are refused with OBJECT_TOO_LARGE while they come. */
  readonly maxBytes?: number;
}

export interface WriteResult {
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, in lower-case hex. */
  readonly sha256: string;
}

export interface ObjectInfo {
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** Bytes from `start` to `end`, both included and counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object whose bytes can be sent, once. */
export interface OpenObject {
  /**
   * Writes the bytes to somebody, as fast as they are taken, and does not end the target. Must be called, because it
   * lets the object go.
   * @returns the bytes written: fewer when the object is shorter, or the target was closed
   * @throws STORAGE_UNAVAILABLE when the storage fails in the middle
   */
  sendTo(target: Writable): Promise<number>;
}

/** How an object is read by an address that needs no session. */
export interface SignedUrlOptions {
  /** The Content-Disposition that it is sent with. */
  readonly disposition: string;
  readonly contentType: string;
  /** Milliseconds. */
  readonly lifetime: number;
}

/**
 * Keeps the bytes of files under keys of our own making (`newObjectKey`). Every driver passes the same contract suite.
 * A fault of the storage (gone, full, slow) is answered STORAGE_UNAVAILABLE; errors of the source pass unchanged.
 */
export abstract class Storage {
  abstract readonly type: StorageType;

  /** For how long a mark that was seen is believed, in milliseconds. A bucket does not turn into another one by itself. */
  readonly markCacheTime: number = 60_000;

  /**
   * The text of the object that says whose this storage is (`identity/storage-identity.ts`); null when it is not there. Lists
   * do not show it.
   * @throws STORAGE_UNAVAILABLE
   */
  abstract readMark(): Promise<string | null>;

  /**
   * Writes that object, whole or not at all.
   * @param first only when there is none: of two that write at once one wins, and the other changes nothing
   * @throws STORAGE_UNAVAILABLE; StartupError when the place must be made first
   */
  abstract writeMark(text: string, first: boolean): Promise<void>;

  /**
   * Stores an object as it comes in; memory does not grow with its size. It appears whole and durable, or not at all:
   * when the source breaks off, nothing is left. A piece of the source need only stay as it is until the next is asked for.
   * @throws OBJECT_TOO_LARGE, STORAGE_UNAVAILABLE, and whatever the source throws
   */
  abstract write(key: string, source: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<WriteResult>;

  /**
   * Opens an object, so that a fault shows before the first byte is sent. The caller reads or destroys the stream.
   * @throws STORAGE_UNAVAILABLE, for an object that is not there as well
   */
  abstract read(key: string, range?: ByteRange): Promise<Readable>;

  /**
   * Opens a part of an object (nothing of it, when it ends before it begins) to be sent, so that a fault shows before the first byte is sent.
   * @throws STORAGE_UNAVAILABLE, for an object that is not there as well
   */
  async openRange(key: string, range: ByteRange): Promise<OpenObject> {
    if (range.end < range.start) return { sendTo: () => Promise.resolve(0) };
    const stream = await this.read(key, range);
    return { sendTo: (target) => sendStream(stream, target) };
  }

  /**
   * All of a small object.
   * @param size bytes that it has, at least 1
   * @throws STORAGE_UNAVAILABLE, also when it is shorter
   */
  async readWhole(key: string, size: number): Promise<Buffer> {
    const bytes = await buffer(await this.read(key, { start: 0, end: size - 1 }));
    if (bytes.byteLength < size) throw storageErrors.STORAGE_UNAVAILABLE();
    return bytes;
  }

  /** What is known of an object, or null when it is not there. */
  abstract stat(key: string): Promise<ObjectInfo | null>;

  /** Removes an object; one that is not there is no error. */
  abstract delete(key: string): Promise<void>;

  /**
   * Gives an object another key; at any moment it is under one of them at least. Can be done again after it was cut off.
   * @returns false when the object was not there: it has been moved already, or is gone
   * @throws STORAGE_UNAVAILABLE
   */
  async move(from: string, to: string): Promise<boolean> {
    if (!(await this.stat(from))) return false;
    await this.write(to, await this.read(from));
    await this.delete(from);
    return true;
  }

  /**
   * All objects whose key begins with `prefix`, in no promised order; what is still being written is left out. A prefix
   * that ends with a slash costs no more than what is under it.
   */
  abstract list(prefix: string): AsyncIterable<ObjectInfo>;

  /** Removes what writers that died left behind before `before`. */
  abstract removeUnfinished(before: Date): Promise<void>;

  /** An address at which anybody reads the object for a while, past us; null when the storage gives out none. */
  signedUrl(_key: string, _read: SignedUrlOptions): Promise<string | null> {
    return Promise.resolve(null);
  }
}

/** Leaving the loop destroys the stream, whatever the reason. */
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

/** A new key of a family of objects: random, spread over 256 folders, without any text of users. */
export function newObjectKey(family: string): string {
  const name = randomBytes(20).toString('hex');
  return `${family}/${name.slice(0, 2)}/${name}`;
}

/** @throws Error for what `newObjectKey` cannot have made, so that a key never leads out of the storage */
export function assertObjectKey(key: string): void {
  if (!/^[a-z0-9]+(?:\/[a-z0-9]+)*$/.test(key)) throw new Error('This is not a key of the storage.');
}

/** @throws Error for what no key begins with */
export function assertPrefix(prefix: string): void {
  if (!/^(?:[a-z0-9]+\/)*[a-z0-9]*$/.test(prefix)) throw new Error('This is not a prefix of keys.');
}

/** The 256 prefixes over which the keys of a family are spread. */
export function keyPrefixesOf(family: string): string[] {
  return Array.from({ length: 256 }, (_, at) => `${family}/${at.toString(16).padStart(2, '0')}/`);
}
