/**
 * The text of a file's first bytes: UTF-16 when a mark at the beginning says so, else UTF-8, else what older programs
 * of Windows write.
 */
export function decodeText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // The last letter may be cut; as part of a stream it is left out instead of shown broken.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder(detectWindowsEncoding(new Uint8Array(bytes))).decode(bytes);
  }
}

/**
 * Turkish (1254) unless the letters say otherwise: where Turkish has ğ, ı and ş, Western European has ð, ý and þ, which
 * Icelandic writes beside á, í, ú and æ; and ž is Western alone.
 */
function detectWindowsEncoding(bytes: Uint8Array): string {
  const count = (letters: string) =>
    bytes.reduce((sum, byte) => sum + Number(letters.includes(String.fromCharCode(byte))), 0);
  const isWestern =
    count('\x8e\x9e') > 0 || count('\xc1\xcd\xda\xe1\xed\xfa\xe6\xc6') > count('\xc7\xd6\xdc\xe7\xf6\xfc');
  return isWestern ? 'windows-1252' : 'windows-1254';
}
