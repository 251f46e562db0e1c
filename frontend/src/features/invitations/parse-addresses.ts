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
    .flatMap((pieces, index, entries) =>
      index === 0 && entries.length > 1 && isHeading(pieces) ? [] : removeNames(pieces),
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

const isHeading = (pieces: string[]) =>
  pieces.some((piece) => HEADING_PATTERN.test(piece)) && !pieces.some(containsAtSign);

const containsAtSign = (piece: string) => piece.includes('@');

/** A word with an inner dot may be an address without its @, so it is kept and reported as invalid. */
function removeNames(pieces: string[]): string[] {
  if (!pieces.some(containsAtSign)) return pieces;
  return pieces.filter((piece) => containsAtSign(piece) || /[^.]\.[^.]/.test(piece));
}
