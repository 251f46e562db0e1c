import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { keyedDigest, sameDigest } from './secrets.js';

const KEY_BYTES = 32;

/** Fewer hex digits of a digest (96 bits) prove nothing. */
const FEWEST_DIGITS = 24;

/**
 * The keys of one purpose, one a secret: what one purpose signs, no other accepts. New things are made with the newest
 * secret; all of them are asked when something is read.
 */
export class PurposeKey {
  private readonly keys: readonly Buffer[];
  /** The same as Node takes them at once: of bytes it makes one anew for each digest, which costs more than the digest. */
  private readonly digesting: readonly KeyObject[];

  /**
   * @param secrets the newest first
   * @param before by which words the version without keys a purpose told this purpose from others, under the secret
   *   itself; null when nothing of that version is left to be read
   */
  constructor(
    private readonly secrets: readonly string[],
    purpose: string,
    private readonly before: readonly string[] | null,
  ) {
    this.keys = secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', `zonary key of ${purpose}`, KEY_BYTES)),
    );
    this.digesting = this.keys.map((key) => createSecretKey(key));
  }

  /** 32 bytes for what is made now, for example to encrypt it. */
  get newest(): Buffer {
    return this.keys[0]!;
  }

  /** 32 bytes a secret, the newest first: one of them made what is read. */
  get all(): readonly Buffer[] {
    return this.keys;
  }

  /** The keyed digest for what is made now: 64 hex digits. */
  digest(...parts: string[]): string {
    return keyedDigest(this.digesting[0]!, ...parts);
  }

  /** Every digest under which the same may have been kept, that of `digest` first. */
  digests(...parts: string[]): string[] {
    const { before } = this;
    return [
      ...this.digesting.map((key) => keyedDigest(key, ...parts)),
      ...(before ? this.secrets.map((secret) => keyedDigest(secret, ...before, ...parts)) : []),
    ];
  }

  /**
   * Whether a digest is ours, in time that does not depend on what is wrong with it.
   * @param given the digest, or its first hex digits where fewer are kept: 24 at least
   */
  matches(given: string, ...parts: string[]): boolean {
    if (given.length < FEWEST_DIGITS) return false;
    return this.digests(...parts)
      .map((digest) => sameDigest(digest.slice(0, given.length), given))
      .includes(true);
  }
}

/** The secrets of the installation, from which each purpose gets keys of its own (HKDF-SHA256). */
export class PurposeKeys {
  private readonly made = new Map<string, PurposeKey>();

  /** @param secrets the newest first, one at least */
  constructor(private readonly secrets: readonly string[]) {}

  /**
   * The keys of a purpose.
   * @param purpose a name that nothing else in the product uses
   * @param before see `PurposeKey`; only for what was made before purposes had keys of their own
   */
  for(purpose: string, before: readonly string[] | null = null): PurposeKey {
    const found = this.made.get(purpose);
    if (found) return found;
    const key = new PurposeKey(this.secrets, purpose, before);
    this.made.set(purpose, key);
    return key;
  }
}
