import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { DerivedKey } from './derived-keys.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** An id that identifies the key without revealing anything about it. */
const keyIdOf = (key: Buffer): string => createHash('sha256').update('id of ').update(key).digest('hex').slice(0, 12);

/**
 * Encrypts a value with AES-256-GCM under the newest key of a purpose.
 * @param belongsTo the owner, such as `user:5`: a value copied to another row can't be decrypted there
 */
export function seal(keys: DerivedKey, text: string, belongsTo: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.newest, iv).setAAD(Buffer.from(belongsTo));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${keyIdOf(keys.newest)}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

/**
 * Decrypts a value of `seal`, also under older secrets that are still configured.
 * @throws Error when its key is no longer available, or the value was modified or belongs to another owner
 */
export function unseal(keys: DerivedKey, sealed: string, belongsTo: string): string {
  const [id, body = ''] = sealed.split('.');
  const key = keys.all.find((candidate) => keyIdOf(candidate) === id);
  if (!key) throw new Error("Couldn't decrypt a stored value: it was encrypted with another APP_SECRET.");
  const bytes = Buffer.from(body, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(belongsTo))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Whether a value is encrypted under the newest key; otherwise re-encrypt it when it is used. */
export function isSealedWithNewestKey(keys: DerivedKey, sealed: string): boolean {
  return sealed.startsWith(`${keyIdOf(keys.newest)}.`);
}
