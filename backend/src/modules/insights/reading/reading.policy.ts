import { MINUTE, SECOND } from '../../../platform/clock/clock.js';

/** The maximum time credited for one batch, in milliseconds. The page sends one every 15 seconds. */
export const MAX_BATCH_TIME = 5 * MINUTE;

/** A page counts as read if it was visible for this long in one batch, in milliseconds. */
export const PAGE_READ_TIME = 2 * SECOND;

/** For how long a page was visible while the reader was active. */
export interface PageTime {
  readonly page: number;
  /** Milliseconds. */
  readonly ms: number;
}

/**
 * Returns how much time may be credited for a batch, in milliseconds: at most the time since the last one of the same
 * user, because nobody reads two pages at once. Only the clock of the server is used.
 * @param lastAt when the last batch was received; null if there was none
 */
export function creditLimit(lastAt: Date | null, now: Date): number {
  if (lastAt === null) return MAX_BATCH_TIME;
  return Math.min(Math.max(now.getTime() - lastAt.getTime(), 0), MAX_BATCH_TIME);
}

/**
 * Credits the entries of a batch in their order until the limit is reached. A page gets one result, however many
 * entries name it; pages without credited time get none.
 * @param limit milliseconds
 */
export function creditEntries(entries: readonly PageTime[], limit: number): PageTime[] {
  const credited = new Map<number, number>();
  let left = limit;
  for (const { page, ms } of entries) {
    const granted = Math.min(ms, left);
    left -= granted;
    if (granted === 0) continue;
    const before = credited.get(page) ?? 0;
    // The last entry is the page that was read last, so it must be the last result.
    credited.delete(page);
    credited.set(page, before + granted);
  }
  return [...credited].map(([page, ms]) => ({ page, ms }));
}

/** The pages that somebody has read: one bit each, page 1 is the lowest bit of the first byte. */
export class PageSet {
  private constructor(private bits: Buffer) {}

  static fromHex(hex: string): PageSet {
    return new PageSet(Buffer.from(hex, 'hex'));
  }

  toHex(): string {
    return this.bits.toString('hex');
  }

  has(page: number): boolean {
    return (((this.bits[byteOf(page)] ?? 0) >> bitOf(page)) & 1) === 1;
  }

  /** @returns false if the page was in the set before */
  add(page: number): boolean {
    if (this.has(page)) return false;
    const byte = byteOf(page);
    if (byte >= this.bits.length) this.bits = Buffer.concat([this.bits, Buffer.alloc(byte + 1 - this.bits.length)]);
    this.bits[byte]! |= 1 << bitOf(page);
    return true;
  }

  /** Returns the pages in ascending order. */
  toList(): number[] {
    return Array.from({ length: this.bits.length * 8 }, (_, index) => index + 1).filter((page) => this.has(page));
  }
}

const byteOf = (page: number): number => (page - 1) >> 3;
const bitOf = (page: number): number => (page - 1) & 7;
