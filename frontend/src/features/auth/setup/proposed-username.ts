const LONGEST = 30;
const SHORTEST = 3;
const FILLER = 'user';

/**
 * A username made of what stands before the @ of an address. One that is too short is made longer by the first part of the
 * domain (`a@example.org`: `a_example`), or by a word.
 */
export function proposedUsername(email: string): string {
  const [local = '', domain = ''] = email.trim().split('@');
  const name = plain(local);
  if (name.length >= SHORTEST) return name;
  const [host = ''] = domain.split('.');
  // Only once the domain is written out: a proposal that grows with each letter of it would be another each time.
  if (name === '' || !/^[^\s@]+\.[^\s@.]{2,}$/.test(domain)) return '';
  return plain(`${name}_${plain(host) || FILLER}`);
}

/** What a username may hold: lower-case letters of English, digits and underscores between them. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, LONGEST)
    .replace(/^_+|_+$/g, '');
}
