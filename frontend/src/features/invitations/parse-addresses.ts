/** Addresses of one request. */
export const ADDRESS_LIMIT = 10_000;

/** What somebody entered, taken apart. */
export interface ParsedAddresses {
  /** Without doubles, in the order written. */
  all: string[];
  /** Those of them that cannot be an address. */
  invalid: string[];
}

/**
 * Splits a text at line breaks, commas, semicolons and tabs; names that stand beside an address are passed over, and so is
 * the heading of a pasted column. Whether an address is right the server decides in the end.
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

/** A word with a dot inside may be an address whose sign was forgotten, so it stays to be named as broken. */
function removeNames(pieces: string[]): string[] {
  if (!pieces.some(containsAtSign)) return pieces;
  return pieces.filter((piece) => containsAtSign(piece) || /[^.]\.[^.]/.test(piece));
}
