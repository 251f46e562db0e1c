import { isReservedUsername } from '../../../../../backend/src/modules/auth/shared/reserved-usernames';

const MAX_LENGTH = 30;
const MIN_LENGTH = 3;
const DEFAULT_SUFFIX = 'user';

interface NameSource {
  email: string;
  firstName: string;
  lastName: string;
}

/**
 * Suggests a username from the part before the @ of an email address. If it is too short, appends the first part of the
 * domain (`a@example.org`: `a_example`), or a word. If it is reserved (`admin@example.org`), suggests first and last
 * name.
 */
export function suggestUsername({ email, firstName, lastName }: NameSource): string {
  const suggestion = suggestFromEmail(email);
  if (!isReservedUsername(suggestion)) return suggestion;
  const name = normalizeUsername(`${firstName}_${lastName}`);
  return name.length < MIN_LENGTH || isReservedUsername(name) ? '' : name;
}

function suggestFromEmail(email: string): string {
  const [local = '', domain = ''] = email.trim().split('@');
  const name = normalizeUsername(local);
  if (name.length >= MIN_LENGTH) return name;
  const [host = ''] = domain.split('.');
  // Waits until the domain is complete: otherwise the suggestion would change with each letter.
  if (name === '' || !/^[^\s@]+\.[^\s@.]{2,}$/.test(domain)) return '';
  return normalizeUsername(`${name}_${normalizeUsername(host) || DEFAULT_SUFFIX}`);
}

/**
 * Replaces what a username can't contain. Allowed are lower-case English letters and digits, with single underscores
 * between them.
 */
function normalizeUsername(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, MAX_LENGTH)
    .replace(/^_+|_+$/g, '');
}
