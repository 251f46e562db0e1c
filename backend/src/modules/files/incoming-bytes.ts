import { MINUTE } from '../../platform/clock/clock.js';
import { MIB } from '../../platform/text/sizes.js';
import { SNIFFED_BYTES, sniffType } from './content-type.js';
import { fileErrors } from './files.errors.js';
import type { IncomingFile } from './upload-form.js';

/** Most bytes of one file: 100 MB. */
export const MAX_FILE_BYTES = 100 * MIB;
/** Bytes reserved at first of a body of unknown length; twice as many each time after that, and half as many when they did not fit. */
const FIRST_STEP = 8 * MIB;
const LEAST_STEP = MIB / 4;
/** Files up to this size are read before anything is reserved, so that exactly their size is. */
const PEEKED_BYTES = 256 * 1024;
/** How often a slow upload shows that it is alive. */
export const EXTEND_EVERY = 3 * MINUTE;

/** What the bytes of an upload ask for on their way. */
export interface ByteKeeper {
  /** Holds bytes of the plan: the wished number, or at least the needed one. Gives the number held. */
  reserve(needed: number, wished: number): Promise<number>;
  extend(): Promise<void>;
  now(): number;
}

/**
 * The bytes of a file on their way to the storage: their type is told from the first of them, their number is checked
 * and reserved before they are passed on.
 */
export class IncomingBytes implements AsyncIterable<Uint8Array> {
  private readonly source: AsyncIterator<Uint8Array>;
  private readonly first: Uint8Array[] = [];
  private ended = false;
  private size = 0;
  private held = 0;
  private step: number;
  private extendedAt: number;

  /** @param left bytes that the rest of the request can hold at most; null when it does not say */
  constructor(
    private readonly file: IncomingFile,
    private readonly left: number | null,
    private readonly keeper: ByteKeeper,
  ) {
    this.source = file.content[Symbol.asyncIterator]();
    this.step = left ?? FIRST_STEP;
    this.extendedAt = keeper.now();
  }

  /** Bytes that are held and have not come. */
  get spare(): number {
    return Math.max(0, this.held - this.size);
  }

  /** Reads the beginning and tells the type by it. To be called once, before the bytes are read. */
  async sniff(): Promise<string> {
    while (this.size < PEEKED_BYTES) {
      const chunk = await this.next();
      if (!chunk) break;
      this.first.push(Buffer.from(chunk));
    }
    const head = Buffer.concat(this.first).subarray(0, SNIFFED_BYTES);
    return sniffType(head, this.ended && head.length === this.size, this.file.name);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      await this.cover();
      yield* this.first;
      for (let chunk = await this.next(); chunk; chunk = await this.next()) {
        await this.cover();
        yield chunk;
      }
    } finally {
      await this.source.return?.();
    }
  }

  private async next(): Promise<Uint8Array | null> {
    const { done, value } = await this.source.next();
    if (done) {
      this.ended = true;
      return null;
    }
    this.size += value.byteLength;
    if (this.size > MAX_FILE_BYTES) {
      throw fileErrors.FILE_TOO_LARGE({ name: this.file.name, allowed: MAX_FILE_BYTES / MIB });
    }
    return value;
  }

  /** Holds as many bytes as have come; in advance, when there may be more. */
  private async cover(): Promise<void> {
    const needed = this.size - this.held;
    if (needed > 0) {
      const wished = this.ended ? needed : this.wish(needed);
      const got = await this.keeper.reserve(needed, wished);
      this.held += got;
      this.step = got < wished ? Math.max(LEAST_STEP, Math.floor(this.step / 2)) : this.step * 2;
    }
    if (this.keeper.now() - this.extendedAt > EXTEND_EVERY) {
      await this.keeper.extend();
      this.extendedAt = this.keeper.now();
    }
  }

  private wish(needed: number): number {
    const most = Math.min(MAX_FILE_BYTES, this.left ?? MAX_FILE_BYTES) - this.held;
    return Math.max(needed, Math.min(this.step, most));
  }
}
