/** A piece of a text; `href` where it is an address. */
interface TextPart {
  readonly text: string;
  readonly href: string | null;
}

/** Addresses of pages and of mailboxes; what ends a sentence, or closes a bracket around them, is none of theirs. */
const ADDRESS_PATTERN = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'’)\]]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/;

/** A text in pieces, of which the addresses lead somewhere. */
export function parseLinks(text: string): TextPart[] {
  return text
    .split(ADDRESS_PATTERN)
    .map((part, index) => ({ text: part, href: index % 2 === 1 ? toHref(part) : null }))
    .filter((part) => part.text !== '');
}

function toHref(address: string): string | null {
  if (!/^https?:/.test(address)) return `mailto:${address}`;
  return URL.canParse(address) ? address : null;
}
