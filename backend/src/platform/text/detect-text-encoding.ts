/** Encodings that texts of people come in, named as the web names them. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'windows-1254';

/**
 * How a text is written: UTF-16 when a mark at the beginning says so, else UTF-8 where the bytes are, else what older
 * programs of Windows write.
 * @param head the first bytes
 * @param whole false when more follow: the last letter may be cut then
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
/** In 1252 these are Ž and ž; 1254 has nothing there. */
const WESTERN_ALONE = byteSet('\x8e\x9e');
/** Á Í Ú á í ú æ Æ, which Icelandic writes beside ð, ý and þ; and Ç Ö Ü ç ö ü of Turkish. */
const ICELANDIC = byteSet('\xc1\xcd\xda\xe1\xed\xfa\xe6\xc6');
const TURKISH = byteSet('\xc7\xd6\xdc\xe7\xf6\xfc');

/**
 * Turkish (1254) unless the letters say otherwise: where Turkish has ğ, ı and ş, Western European (1252) has ð, ý and þ,
 * which Icelandic writes beside other letters than Turkish does.
 */
function detectWindowsCodePage(bytes: Uint8Array): TextEncoding {
  const count = (letters: ReadonlySet<number>) => bytes.reduce((sum, byte) => sum + Number(letters.has(byte)), 0);
  const western = count(WESTERN_ALONE) > 0 || count(ICELANDIC) > count(TURKISH);
  return western ? 'windows-1252' : 'windows-1254';
}
