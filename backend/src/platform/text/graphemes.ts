const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Yields the grapheme clusters of a text (UAX #29): a compound emoji, or a letter with combining marks, is one. */
export function* graphemes(text: string): Generator<string> {
  for (const { segment } of characters.segment(text)) yield segment;
}

/**
 * Truncates a text to fit a column, between grapheme clusters. Only a first cluster that is longer than the limit (a
 * letter with very many marks) is cut inside, so that something remains.
 * @param maxLength in code points, as PostgreSQL counts `varchar(n)`
 */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let result = '';
  let count = 0;
  for (const character of graphemes(text)) {
    count += [...character].length;
    if (count > maxLength) return result || [...character].slice(0, maxLength).join('');
    result += character;
  }
  return result;
}
