import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { keyedDigest, areDigestsEqual } from './secrets.js';

const KEY_BYTES = 32;

/** Fewer hex digits of a digest (96 bits) prove nothing. */
const MIN_DIGITS = 24;

/**
 * The keys of one purpose, one a secret: what one purpose signs, no other accepts. New things are made with the newest
 * secret; all of them are asked when something is read.
 */
export class DerivedKey {
  private readonly keys: readonly Buffer[];
  /** The same as Node takes them at once: of bytes it makes one anew for each digest, which costs more than the digest. */
  private readonly keyObjects: readonly KeyObject[];

  /**
   * @param secrets the newest first
   * @param before by which words the version without keys a purpose told this purpose from others, under the secret
   *   itself; null when nothing of that version is left to be read
   */
  constructor(
    private readonly secrets: readonly string[],
    purpose: string,
    private readonly legacyPrefix: readonly string[] | null,
  ) {
    this.keys = secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', `zonary key of ${purpose}`, KEY_BYTES)),
    );
    this.keyObjects = this.keys.map((key) => createSecretKey(key));
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
    return keyedDigest(this.keyObjects[0]!, ...parts);
  }

  /** Every digest under which the same may have been kept, that of `digest` first. */
  digests(...parts: string[]): string[] {
    const { legacyPrefix } = this;
    return [
      ...this.keyObjects.map((key) => keyedDigest(key, ...parts)),
      ...(legacyPrefix ? this.secrets.map((secret) => keyedDigest(secret, ...legacyPrefix, ...parts)) : []),
    ];
  }

  /**
   * Whether a digest is ours, in time that does not depend on what is wrong with it.
   * @param given the digest, or its first hex digits where fewer are kept: 24 at least
   */
  matches(candidate: string, ...parts: string[]): boolean {
    if (candidate.length < MIN_DIGITS) return false;
    return this.digests(...parts)
      .map((digest) => areDigestsEqual(digest.slice(0, candidate.length), candidate))
      .includes(true);
  }
}

/** The secrets of the installation, from which each purpose gets keys of its own (HKDF-SHA256). */
export class DerivedKeys {
  private readonly cache = new Map<string, DerivedKey>();

  /** @param secrets the newest first, one at least */
  constructor(private readonly secrets: readonly string[]) {}

  /**
   * The keys of a purpose.
   * @param purpose a name that nothing else in the product uses
   * @param before see `DerivedKey`; only for what was made before purposes had keys of their own
   */
  forPurpose(purpose: string, legacyPrefix: readonly string[] | null = null): DerivedKey {
    const found = this.cache.get(purpose);
    if (found) return found;
    const key = new DerivedKey(this.secrets, purpose, legacyPrefix);
    this.cache.set(purpose, key);
    return key;
  }
}
