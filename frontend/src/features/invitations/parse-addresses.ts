/** Maximum number of addresses in one request. */
export const ADDRESS_LIMIT = 10_000;

/** The addresses found in the input. */
export interface ParsedAddresses {
  /** Without duplicates, in input order. */
  all: string[];
  /** Those of them that can't be email addresses. */
  invalid: string[];
}

/**
 * Splits a text into addresses at line breaks, commas, semicolons and tabs. Ignores names next to an address, and the
 * heading of a pasted column. The server has the final say on whether an address is valid.
 */
export function parseAddresses(text: string): ParsedAddresses {
  const addresses = text
    .split(/[\r\n,;]+/)
    .map(splitEntry)
    .filter(({ length }) => length > 0)
    .flatMap((words, index, entries) =>
      index === 0 && entries.length > 1 && isHeading(words) ? [] : removeNames(words),
    );
  const all = [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
  return { all, invalid: all.filter((address) => !/^[^@]+@[^@]+\.[^@]+$/.test(address)) };
}

function splitEntry(entry: string): string[] {
  return entry
    .split(/\s+/)
    .map((part) => part.replace(/^[<("']+|[>)"']+$/g, ''))
    .filter(Boolean);
}

const HEADING_PATTERN = /^e-?(mail|posta)/i;

const isHeading = (words: string[]) => words.some((word) => HEADING_PATTERN.test(word)) && !words.some(containsAtSign);

const containsAtSign = (word: string) => word.includes('@');

/** A word with an inner dot may be an address without its @, so it is kept and reported as invalid. */
function removeNames(words: string[]): string[] {
  if (!words.some(containsAtSign)) return words;
  return words.filter((word) => containsAtSign(word) || /[^.]\.[^.]/.test(word));
}
