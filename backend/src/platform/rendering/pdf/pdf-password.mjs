/** Handles correct passwords that PDFium rejects. */

/** Keys that name the encryption of strings and of streams. */
const STRING_FILTER = '/StrF';
const STREAM_FILTER = '/StmF';
const IDENTITY_STRINGS = /^\/StrF\s*(\/Identity)/;
/** Number of bytes inspected after a key. */
const LOOKAHEAD = 64;

/**
 * Normalises a password as PDF 2.0 requires (SASLprep, RFC 4013) and as programs do before encryption. PDFium compares
 * what was typed.
 */
export function normalisePassword(/** @type {string} */ password) {
  return password
    .replace(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu, ' ')
    .replace(/[\u034f\u180b-\u180d\ufe00-\ufe0f\u00ad\u1806\u200c-\u200d\u2060\ufeff]/gu, '')
    .normalize('NFKC');
}

/**
 * Makes a document declare that its strings are encrypted like its streams: PDFium rejects the correct password if it
 * declares that they aren't. Titles and names may be garbled then, but not the text of pages, which is in streams.
 * @param {Buffer} bytes of the document, modified in place
 * @returns whether anything was changed
 */
export function declareStringsEncrypted(bytes) {
  const streams = bytes.indexOf(STREAM_FILTER);
  const filter = /^\/StmF\s*(\/\w+)/.exec(readNear(bytes, streams))?.[1];
  if (streams < 0 || filter === undefined || filter === '/Identity') return false;
  let isChanged = false;
  for (let at = bytes.indexOf(STRING_FILTER); at >= 0; at = bytes.indexOf(STRING_FILTER, at + 1)) {
    const found = IDENTITY_STRINGS.exec(readNear(bytes, at));
    if (!found || filter.length > found[1].length) continue;
    bytes.write(filter.padEnd(found[1].length), at + found[0].length - found[1].length, 'latin1');
    isChanged = true;
  }
  return isChanged;
}

const readNear = (/** @type {Buffer} */ bytes, /** @type {number} */ at) =>
  bytes.toString('latin1', at, at + LOOKAHEAD);
