const MAX_LENGTH = 30;
const MIN_LENGTH = 3;
const DEFAULT_SUFFIX = 'user';

/**
 * Suggests a username from the part before the @ of an email address. If it is too short, appends the first part of the
 * domain (`a@example.org`: `a_example`), or a word.
 */
export function suggestUsername(email: string): string {
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
