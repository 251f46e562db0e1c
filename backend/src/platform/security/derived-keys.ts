import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { keyedDigest, areDigestsEqual } from './secrets.js';

const KEY_BYTES = 32;

/** Minimum hex digits of a truncated digest (96 bits). */
const MIN_DIGITS = 24;

/**
 * The keys of one purpose, one per secret. Signatures of one purpose are invalid for all others. New data uses the
 * newest secret; reading tries all secrets.
 */
export class DerivedKey {
  private readonly keys: readonly Buffer[];
  /** The keys as `KeyObject`s: Node.js would convert bytes for each digest, which costs more than the digest itself. */
  private readonly keyObjects: readonly KeyObject[];

  /**
   * @param secrets newest first
   * @param legacyPrefix the words that distinguished this purpose when digests were keyed with the secret itself; null
   *   when no such data remains
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

  /** The 32-byte key for new data, for example for encryption. */
  get newest(): Buffer {
    return this.keys[0]!;
  }

  /** The 32-byte keys of all secrets, newest first; one of them was used for existing data. */
  get all(): readonly Buffer[] {
    return this.keys;
  }

  /** Returns the keyed digest for new data: 64 hex digits. */
  digest(...parts: string[]): string {
    return keyedDigest(this.keyObjects[0]!, ...parts);
  }

  /** Returns all digests under which existing data may be stored, that of `digest` first. */
  digests(...parts: string[]): string[] {
    const { legacyPrefix } = this;
    return [
      ...this.keyObjects.map((key) => keyedDigest(key, ...parts)),
      ...(legacyPrefix ? this.secrets.map((secret) => keyedDigest(secret, ...legacyPrefix, ...parts)) : []),
    ];
  }

  /**
   * Whether a digest is valid, in time independent of where it differs.
   * @param candidate the digest, or its first hex digits (at least 24) when it is stored truncated
   */
  matches(candidate: string, ...parts: string[]): boolean {
    if (candidate.length < MIN_DIGITS) return false;
    return this.digests(...parts)
      .map((digest) => areDigestsEqual(digest.slice(0, candidate.length), candidate))
      .includes(true);
  }
}

/** Derives a separate key for each purpose from the installation's secrets (HKDF-SHA256). */
export class DerivedKeys {
  private readonly cache = new Map<string, DerivedKey>();

  /** @param secrets newest first, at least one */
  constructor(private readonly secrets: readonly string[]) {}

  /**
   * Returns the keys of a purpose.
   * @param purpose a name that nothing else in the product uses
   * @param legacyPrefix see `DerivedKey`; only for data from before keys were derived per purpose
   */
  forPurpose(purpose: string, legacyPrefix: readonly string[] | null = null): DerivedKey {
    const found = this.cache.get(purpose);
    if (found) return found;
    const key = new DerivedKey(this.secrets, purpose, legacyPrefix);
    this.cache.set(purpose, key);
    return key;
  }
}
