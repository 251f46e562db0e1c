/** The text of a file's first bytes: UTF-16 when a mark at the beginning says so, else UTF-8. */
export function decodeText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // The last letter may be cut; as part of a stream it is left out instead of shown broken.
  return new TextDecoder().decode(bytes, { stream: true });
}
