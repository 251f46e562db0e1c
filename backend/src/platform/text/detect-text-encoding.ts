/** Supported text encodings, with their WHATWG names. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'windows-1254';

/**
 * Detects the encoding of a text: UTF-16 if it has a byte order mark, else UTF-8 if it is valid, else a Windows code
 * page.
 * @param head the first bytes
 * @param isComplete false when more bytes follow, so that the last character may be cut
 */
export function detectTextEncoding(head: Uint8Array, isComplete: boolean): TextEncoding {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isComplete });
    return 'utf-8';
  } catch {
    return detectWindowsCodePage(head);
  }
}

const byteSet = (letters: string) => new Set(Buffer.from(letters, 'latin1'));
/** Ž and ž in windows-1252; unassigned in windows-1254. */
const WESTERN_ALONE = byteSet('\x8e\x9e');
/** Á Í Ú á í ú æ Æ, which Icelandic uses beside ð, ý and þ; below, Ç Ö Ü ç ö ü of Turkish. */
const ICELANDIC = byteSet('\xc1\xcd\xda\xe1\xed\xfa\xe6\xc6');
const TURKISH = byteSet('\xc7\xd6\xdc\xe7\xf6\xfc');

/**
 * Turkish (1254) unless the letters indicate otherwise. Where 1254 has ğ, ı and ş, 1252 has ð, ý and þ, which occur in
 * Icelandic, beside other letters than in Turkish.
 */
function detectWindowsCodePage(bytes: Uint8Array): TextEncoding {
  const count = (letters: ReadonlySet<number>) => bytes.reduce((sum, byte) => sum + Number(letters.has(byte)), 0);
  const western = count(WESTERN_ALONE) > 0 || count(ICELANDIC) > count(TURKISH);
  return western ? 'windows-1252' : 'windows-1254';
}
