import { randomInt } from 'node:crypto';
import { decomposed } from '../../../platform/text/composed.js';
import { cutText } from '../../../platform/text/graphemes.js';
import { withoutInvisible } from '../../../platform/text/joiners.js';
import { withoutAddress } from '../../../platform/text/plain-name.js';
import type { Names } from '../users/user.service.js';
import type { ProvenIdentity } from './identity-provider.service.js';

const NAME_LENGTH = 50;
const USERNAME_LENGTH = 30;
/** Of what a provider tells, as much is looked at. */
const LONGEST_CLAIM = 500;
/** Room for what makes a taken name another. */
const SUFFIX_LENGTH = 6;

/** Names as the provider tells them, in the form that our own forms ask for; null for what cannot be a name here. */
export function namesOf({ givenName, familyName }: ProvenIdentity): Names {
  const firstName = oneLine(givenName);
  const lastName = oneLine(familyName);
  // A last name of "." stands for none, as in the profile.
  return firstName === null ? { firstName: null, lastName: null } : { firstName, lastName: lastName ?? '.' };
}

/** A user name to begin with: what the provider calls the person, else the front of the address. */
export function usernameOf({ preferredUsername, email }: ProvenIdentity): string {
  const wanted = slug(preferredUsername?.split('@')[0] ?? '');
  const name = wanted.length >= 3 ? wanted : slug(email?.split('@')[0] ?? '');
  return (name.length >= 3 ? name : `user_${name}`).slice(0, USERNAME_LENGTH - SUFFIX_LENGTH);
}

/** The same name with a random number behind it. */
export function numbered(username: string): string {
  return `${username}_${randomInt(10_000, 100_000)}`;
}

function oneLine(value: string | null): string | null {
  const plain = (value ?? '').slice(0, LONGEST_CLAIM).replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, ' ');
  const line = withoutInvisible(plain).replace(/\s+/g, ' ').trim();
  return withoutAddress(cutText(line, NAME_LENGTH).trim()) || null;
}

function slug(value: string): string {
  const plain = decomposed(value.slice(0, LONGEST_CLAIM), LONGEST_CLAIM)
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_');
  return plain.replace(/^_+|_+$/g, '');
}
