/** Addresses of one request. */
export const ADDRESS_LIMIT = 10_000;

/** What somebody entered, taken apart. */
export interface Addresses {
  /** Without doubles, in the order written. */
  all: string[];
  /** Those of them that cannot be an address. */
  broken: string[];
}

/** Splits a text at line breaks, commas, semicolons and tabs; whether an address is right the server decides in the end. */
export function readAddresses(text: string): Addresses {
  const written = text
    .split(/[\s,;]+/)
    .map((part) => part.replace(/^[<"']+|[>"']+$/g, ''))
    .filter(Boolean);
  const all = [...new Map(written.map((address) => [address.toLowerCase(), address])).values()];
  return { all, broken: all.filter((address) => !/^[^@]+@[^@]+\.[^@]+$/.test(address)) };
}
