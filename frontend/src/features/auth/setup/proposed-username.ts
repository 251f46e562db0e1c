const LONGEST = 30;
const SHORTEST = 3;

/** A username made of what stands before the @ of an address; empty where too little of it would be left. */
export function proposedUsername(email: string): string {
  const [local = ''] = email.trim().split('@');
  const plain = local
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, LONGEST)
    .replace(/^_+|_+$/g, '');
  return plain.length < SHORTEST ? '' : plain;
}
