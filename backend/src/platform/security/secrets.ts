import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual, type KeyObject } from 'node:crypto';

/** Returns a new random, URL-safe token of 256 bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the digest under which a token or session id is stored. SHA-256 suffices, because the value is random and
 * long.
 */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Letters and digits that can't be confused with each other. */
const UNAMBIGUOUS_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Returns a new password that is read from an email and typed: five groups of four characters, 99 bits. */
export function newTemporaryPassword(): string {
  const group = () =>
    Array.from({ length: 4 }, () => UNAMBIGUOUS_CHARACTERS[randomInt(UNAMBIGUOUS_CHARACTERS.length)]).join('');
  return Array.from({ length: 5 }, group).join('-');
}

/**
 * Returns a new recovery code to print: two groups of five characters, 49 bits. Attempts must be limited to a few per
 * hour.
 */
export function newRecoveryCode(): string {
  const group = () =>
    Array.from({ length: 5 }, () => UNAMBIGUOUS_CHARACTERS[randomInt(UNAMBIGUOUS_CHARACTERS.length)]).join('');
  return `${group()}-${group()}`;
}

/** Returns a new 6-digit code. */
export function newCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0');
}

/** Returns a keyed digest (HMAC). Use a separate key per purpose, from `config.keys` (`DerivedKeys`). */
export function keyedDigest(key: string | Buffer | KeyObject, ...parts: string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('hex');
}

/** Compares two digests in constant time. Compares bytes, because unexpected characters take more than one. */
export function areDigestsEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
