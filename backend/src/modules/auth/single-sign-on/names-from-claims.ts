import { randomInt } from 'node:crypto';
import { toNfd } from '../../../platform/text/unicode-normalisation.js';
import { truncateText } from '../../../platform/text/graphemes.js';
import { removeInvisible } from '../../../platform/text/invisible-characters.js';
import { removeUrlsIfAny } from '../../../platform/text/plain-name.js';
import type { Names } from '../users/user.repository.js';
import type { VerifiedIdentity } from './identity-provider.service.js';
import { NO_LAST_NAME } from '../entities/user.entity.js';

const NAME_LENGTH = 50;
const USERNAME_LENGTH = 30;
/** Longer claims are truncated before processing. */
const MAX_CLAIM_LENGTH = 500;
/** Reserved for the suffix that makes a taken username unique. */
const SUFFIX_LENGTH = 6;

/** Returns the provider's names as our own forms accept them; null for values that can't be a name here. */
export function toNames({ givenName, familyName }: VerifiedIdentity): Names {
  const firstName = toNameLine(givenName);
  const lastName = toNameLine(familyName);
  // As in the profile, "." stands for a missing last name.
  return firstName === null ? { firstName: null, lastName: null } : { firstName, lastName: lastName ?? NO_LAST_NAME };
}

/** Suggests a username: the provider's preferred username, otherwise the local part of the address. */
export function suggestUsername({ preferredUsername, email }: VerifiedIdentity): string {
  const requested = toUsernameSlug(preferredUsername?.split('@')[0] ?? '');
  const name = requested.length >= 3 ? requested : toUsernameSlug(email?.split('@')[0] ?? '');
  return (name.length >= 3 ? name : `user_${name}`).slice(0, USERNAME_LENGTH - SUFFIX_LENGTH);
}

/** Returns the username with a random number appended. */
export function appendRandomNumber(username: string): string {
  return `${username}_${randomInt(10_000, 100_000)}`;
}

function toNameLine(value: string | null): string | null {
  const plain = (value ?? '').slice(0, MAX_CLAIM_LENGTH).replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, ' ');
  const line = removeInvisible(plain).replace(/\s+/g, ' ').trim();
  return removeUrlsIfAny(truncateText(line, NAME_LENGTH).trim()) || null;
}

function toUsernameSlug(value: string): string {
  const plain = toNfd(value.slice(0, MAX_CLAIM_LENGTH), MAX_CLAIM_LENGTH)
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_');
  return plain.replace(/^_+|_+$/g, '');
}
