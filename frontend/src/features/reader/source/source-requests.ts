/** Widths in which the server renders pages. */
export type PageWidth = 600 | 1200 | 2000;

/** Returns the headers that request only the beginning of a larger file. */
export const beginningOf = ({ size }: { size: number }, maxBytes: number): Record<string, string> =>
  size > maxBytes ? { Range: `bytes=0-${maxBytes - 1}` } : {};
