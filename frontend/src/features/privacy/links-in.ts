/** A piece of a text; `href` where it is an address. */
interface Piece {
  readonly text: string;
  readonly href: string | null;
}

/** Addresses of pages and of mailboxes; what ends a sentence, or closes a bracket around them, is none of theirs. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'’)\]]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/;

/** A text in pieces, of which the addresses lead somewhere. */
export function linksIn(text: string): Piece[] {
  return text
    .split(ADDRESS)
    .map((piece, at) => ({ text: piece, href: at % 2 === 1 ? hrefOf(piece) : null }))
    .filter((piece) => piece.text !== '');
}

function hrefOf(address: string): string | null {
  if (!/^https?:/.test(address)) return `mailto:${address}`;
  return URL.canParse(address) ? address : null;
}
