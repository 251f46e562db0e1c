/**
 * Text in its composed form (NFC). Composing costs the square of a run of combining marks, so the length is looked at
 * first: what is longer than anything that is kept comes back as it is, and whoever asked refuses it for its length.
 * This is the only place that normalises; a test holds that.
 * @param longest in UTF-16 units, as `length` counts
 */
export function toNfc(text: string, maxLength: number): string {
  return text.length > maxLength ? text : text.normalize('NFC');
}

/** The same with letters and their marks apart (NFD). */
export function toNfd(text: string, maxLength: number): string {
  return text.length > maxLength ? text : text.normalize('NFD');
}

/** The same with look-alikes as the letters that they stand for (NFKC). */
export function toNfkc(text: string, maxLength: number): string {
  return text.length > maxLength ? text : text.normalize('NFKC');
}
