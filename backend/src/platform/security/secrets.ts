import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual, type KeyObject } from 'node:crypto';

/** A new unguessable token, safe in addresses: 256 bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token or session id: SHA-256 suffices, because the value is random and long. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Letters and digits that nobody takes for one another. */
const UNAMBIGUOUS_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A new password that people read off a mail and type: five groups of four, 99 bits. */
export function newTemporaryPassword(): string {
  const group = () =>
    Array.from({ length: 4 }, () => UNAMBIGUOUS_CHARACTERS[randomInt(UNAMBIGUOUS_CHARACTERS.length)]).join('');
  return Array.from({ length: 5 }, group).join('-');
}

/** A new code for paper: two groups of five, 49 bits, which no more than a few tries an hour may be spent on. */
export function newRecoveryCode(): string {
  const group = () =>
    Array.from({ length: 5 }, () => UNAMBIGUOUS_CHARACTERS[randomInt(UNAMBIGUOUS_CHARACTERS.length)]).join('');
  return `${group()}-${group()}`;
}

/** A new 6-digit code. */
export function newCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0');
}

/**
 * A digest that nobody makes without the key. Keys come from `config.keys` (`DerivedKeys`): one purpose, one key.
 */
export function keyedDigest(key: string | Buffer | KeyObject, ...parts: string[]): string {
  return createHmac('sha256', key).update(parts.join('\n')).digest('hex');
}

/** Compares two digests in constant time. Bytes are compared: letters that nobody expects take more than one. */
export function areDigestsEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
