const MAX_LENGTH = 30;
const MIN_LENGTH = 3;
const DEFAULT_SUFFIX = 'user';

/**
 * A username made of what stands before the @ of an address. One that is too short is made longer by the first part of the
 * domain (`a@example.org`: `a_example`), or by a word.
 */
export function suggestUsername(email: string): string {
  const [local = '', domain = ''] = email.trim().split('@');
  const name = normalizeUsername(local);
  if (name.length >= MIN_LENGTH) return name;
  const [host = ''] = domain.split('.');
  // Only once the domain is written out: a proposal that grows with each letter of it would be another each time.
  if (name === '' || !/^[^\s@]+\.[^\s@.]{2,}$/.test(domain)) return '';
  return normalizeUsername(`${name}_${normalizeUsername(host) || DEFAULT_SUFFIX}`);
}

/** What a username may hold: lower-case letters of English, digits and underscores between them. */
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
