import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { DerivedKey } from './derived-keys.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Which key it was, told by nothing that helps to find the key. */
const keyIdOf = (key: Buffer): string => createHash('sha256').update('id of ').update(key).digest('hex').slice(0, 12);

/**
 * Encrypts something that must be read again, by AES-256-GCM under the newest key of a purpose.
 * @param belongsTo whose it is, such as `user:5`: what is moved to another row cannot be read there
 */
export function seal(keys: DerivedKey, text: string, belongsTo: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.newest, iv).setAAD(Buffer.from(belongsTo));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${keyIdOf(keys.newest)}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

/**
 * Reads what `seal` made, also under an older secret that is still named.
 * @throws Error when its key is not there any more, or when it was altered or is somebody else's
 */
export function unseal(keys: DerivedKey, sealed: string, belongsTo: string): string {
  const [id, body = ''] = sealed.split('.');
  const key = keys.all.find((one) => keyIdOf(one) === id);
  if (!key) throw new Error('What was encrypted cannot be read: APP_SECRET no longer holds the secret of that time.');
  const bytes = Buffer.from(body, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(belongsTo))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Whether something was encrypted under the newest key; what was not is to be encrypted again when it is used. */
export function isSealedWithNewestKey(keys: DerivedKey, sealed: string): boolean {
  return sealed.startsWith(`${keyIdOf(keys.newest)}.`);
}
