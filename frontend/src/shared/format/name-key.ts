/**
 * What two names are compared by, as the server does: without regard to case, and I, ı, İ and i are one letter.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFC')
    .trim()
    .replace(/[Iİı]/g, 'i')
    .toUpperCase()
    .toLowerCase()
    .replace(/i\u0307/g, 'i')
    .normalize('NFC');
}
