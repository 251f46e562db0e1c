/** Addresses of one request. */
export const ADDRESS_LIMIT = 10_000;

/** What somebody entered, taken apart. */
export interface Addresses {
  /** Without doubles, in the order written. */
  all: string[];
  /** Those of them that cannot be an address. */
  broken: string[];
}

/**
 * Splits a text at line breaks, commas, semicolons and tabs; names that stand beside an address are passed over, and so is
 * the heading of a pasted column. Whether an address is right the server decides in the end.
 */
export function readAddresses(text: string): Addresses {
  const written = text
    .split(/[\r\n,;]+/)
    .map(piecesOf)
    .filter(({ length }) => length > 0)
    .flatMap((pieces, index, entries) =>
      index === 0 && entries.length > 1 && isHeading(pieces) ? [] : withoutNames(pieces),
    );
  const all = [...new Map(written.map((address) => [address.toLowerCase(), address])).values()];
  return { all, broken: all.filter((address) => !/^[^@]+@[^@]+\.[^@]+$/.test(address)) };
}

function piecesOf(entry: string): string[] {
  return entry
    .split(/\s+/)
    .map((part) => part.replace(/^[<("']+|[>)"']+$/g, ''))
    .filter(Boolean);
}

const HEADING = /^e-?(mail|posta)/i;

const isHeading = (pieces: string[]) => pieces.some((piece) => HEADING.test(piece)) && !pieces.some(hasAt);

const hasAt = (piece: string) => piece.includes('@');

/** A word with a dot inside may be an address whose sign was forgotten, so it stays to be named as broken. */
function withoutNames(pieces: string[]): string[] {
  if (!pieces.some(hasAt)) return pieces;
  return pieces.filter((piece) => hasAt(piece) || /[^.]\.[^.]/.test(piece));
}
