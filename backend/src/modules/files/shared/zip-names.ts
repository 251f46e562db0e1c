import { foldCase } from '../../../platform/text/fold.js';
import { composed } from '../../../platform/text/composed.js';
import { NAME_BYTES, numberedFolderName, numberedName } from './file-name.js';

/** Names that Windows keeps for devices, with whatever extension. */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;

/**
 * A name as it can stand in an archive that is unpacked on any system: one step of a path and never a way out of the
 * folder, composed (NFC), without what Windows refuses.
 */
export function safeName(name: string): string {
  const plain = composed(name, 1000)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069"*/:<>?\\|]/gu, '_')
    .replace(/[. ]+$/u, (end) => '_'.repeat(end.length))
    .replace(/^ +/u, '');
  return cut(plain === '' || DEVICES.test(plain) ? `_${plain}` : plain);
}

function cut(name: string): string {
  const letters = [...name];
  while (Buffer.byteLength(letters.join('')) > NAME_BYTES) letters.splice(Math.floor(letters.length / 2), 1);
  return letters.join('');
}

/** Gives out the paths of an archive: safe, and each once, without regard to case, for files and folders together. */
export class ZipPaths {
  private readonly taken = new Map<string, Set<string>>();

  /**
   * @param parent a path that `folder` gave, or '' for the top of the archive
   * @returns the path of a file in it
   */
  file(parent: string, name: string): string {
    return parent + this.free(parent, safeName(name), numberedName);
  }

  /** The path of a folder in a folder, with a slash at its end. */
  folder(parent: string, name: string): string {
    return `${parent}${this.free(parent, safeName(name), numberedFolderName)}/`;
  }

  private free(parent: string, name: string, numbered: (name: string, number: number) => string): string {
    const taken = this.taken.get(parent) ?? new Set();
    this.taken.set(parent, taken);
    let found = name;
    for (let number = 1; taken.has(foldCase(found)); number++) found = numbered(name, number);
    taken.add(foldCase(found));
    return found;
  }
}
