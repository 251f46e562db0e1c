/**
 * Normalises text to NFC. Normalisation takes quadratic time for long runs of combining marks, so longer texts are
 * returned unchanged, and the caller rejects them for their length. All normalisation goes through this file; a test
 * enforces that.
 * @param maxLength in UTF-16 code units, as `length` counts
 */
export function toNfc(text: string, maxLength: number): string {
  return text.length > maxLength ? text : text.normalize('NFC');
}

/** The same for NFD (decomposed). */
export function toNfd(text: string, maxLength: number): string {
  return text.length > maxLength ? text : text.normalize('NFD');
}

/** The same for NFKC (compatibility characters replaced). */
export function toNfkc(text: string, maxLength: number): string {
  return text.length > maxLength ? text : text.normalize('NFKC');
}
