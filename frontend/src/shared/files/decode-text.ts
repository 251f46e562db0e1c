/**
 * Decodes the first bytes of a file: UTF-16 if it has a byte order mark, else UTF-8, else a legacy Windows code page.
 */
export function decodeText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // The last character may be cut off; in stream mode it is dropped instead of failing.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder(detectWindowsEncoding(new Uint8Array(bytes))).decode(bytes);
  }
}

/**
 * Windows-1254 (Turkish) unless the letters suggest otherwise: where Turkish has ğ, ı and ş, Western European has ð, ý
 * and þ, which Icelandic uses together with á, í, ú and æ; and only Western European has ž.
 */
function detectWindowsEncoding(bytes: Uint8Array): string {
  const count = (letters: string) =>
    bytes.reduce((sum, byte) => sum + Number(letters.includes(String.fromCharCode(byte))), 0);
  const isWestern =
    count('\x8e\x9e') > 0 || count('\xc1\xcd\xda\xe1\xed\xfa\xe6\xc6') > count('\xc7\xd6\xdc\xe7\xf6\xfc');
  return isWestern ? 'windows-1252' : 'windows-1254';
}
