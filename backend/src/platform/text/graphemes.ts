const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as people count them (UAX #29): an emoji of several parts, or a letter with its marks, is one. */
export function* graphemes(text: string): Generator<string> {
  for (const { segment } of characters.segment(text)) yield segment;
}

/**
 * The beginning of a text that a column takes, cut between characters as people see them and never inside one. A first
 * character that is longer than the limit (a letter with very many marks) is cut inside, so that something remains.
 * @param longest in code points, as PostgreSQL counts `varchar(n)`
 */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let kept = '';
  let count = 0;
  for (const character of graphemes(text)) {
    count += [...character].length;
    if (count > maxLength) return kept || [...character].slice(0, maxLength).join('');
    kept += character;
  }
  return kept;
}
