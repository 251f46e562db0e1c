import { oneLine } from './pieces.js';

/** What mail programs would show like the address of a sender, also with signs that only look like an at. */
const ADDRESS = /[@\uFE6B\uFF20](?=\s*[^\s@]+\s*[.\u3002\uFF0E\uFF61]\s*[^\s@])/gu;

/** Whether a name holds an address: beside the real one it would pass for somebody else's. */
export const holdsAddress = (name: string): boolean => name.search(ADDRESS) >= 0;

/** A name as it may stand before the address of our mails, on one line; an address in it is none any more. */
export const senderName = (name: string): string => oneLine(name.replace(ADDRESS, ' (at) ')).replace(/ {2,}/g, ' ');
