import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { toNfc } from '../../../platform/text/unicode-normalisation.js';
import { MAX_NAME_BYTES, numberedFolderName, numberedName } from './file-name.js';

/** Device names reserved by Windows, with any extension. */
const WINDOWS_DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;

/**
 * Makes a name safe for archives unpacked on any system: a single path segment without path traversal, in NFC, without
 * characters that Windows rejects.
 */
export function toSafeName(name: string): string {
  const plain = toNfc(name, 1000)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069"*/:<>?\\|]/gu, '_')
    .replace(/[. ]+$/u, (end) => '_'.repeat(end.length))
    .replace(/^ +/u, '');
  return truncateName(plain === '' || WINDOWS_DEVICES.test(plain) ? `_${plain}` : plain);
}

function truncateName(name: string): string {
  const letters = [...name];
  while (Buffer.byteLength(letters.join('')) > MAX_NAME_BYTES) letters.splice(Math.floor(letters.length / 2), 1);
  return letters.join('');
}

/** Assigns the paths of an archive: safe, and unique regardless of case across files and folders. */
export class ZipPaths {
  private readonly usedNames = new Map<string, Set<string>>();

  /**
   * @param parent a path returned by `addFolder`, or '' for the top of the archive
   * @returns the file's path
   */
  addFile(parent: string, name: string): string {
    return parent + this.uniqueName(parent, toSafeName(name), numberedName);
  }

  /** Returns the path of a folder, with a trailing slash. */
  addFolder(parent: string, name: string): string {
    return `${parent}${this.uniqueName(parent, toSafeName(name), numberedFolderName)}/`;
  }

  private uniqueName(parent: string, name: string, numbered: (name: string, number: number) => string): string {
    const taken = this.usedNames.get(parent) ?? new Set();
    this.usedNames.set(parent, taken);
    let found = name;
    for (let number = 1; taken.has(normaliseForComparison(found)); number++) found = numbered(name, number);
    taken.add(normaliseForComparison(found));
    return found;
  }
}
