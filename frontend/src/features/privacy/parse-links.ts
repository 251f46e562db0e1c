/** A part of a text; `href` if it is a link. */
interface TextPart {
  readonly text: string;
  readonly href: string | null;
}

/** URLs and email addresses; trailing punctuation and closing brackets aren't part of them. */
const ADDRESS_PATTERN = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'’)\]]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/;

/** Splits a text into parts and turns addresses into links. */
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
