/** Passwords of PDFs that are right but not as PDFium expects them. */

/** Where a document says how its strings are encrypted, and how its streams are. */
const STRINGS = '/StrF';
const STREAMS = '/StmF';
const IDENTITY = /^\/StrF\s*(\/Identity)/;
/** Bytes that are looked at behind a name. */
const NEAR = 64;

/**
 * A password prepared as PDF 2.0 wants it (SASLprep, RFC 4013), with which programs encrypt. PDFium compares what was typed.
 */
export function prepared(/** @type {string} */ password) {
  return password
    .replace(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu, ' ')
    .replace(/[\u034f\u180b-\u180d\ufe00-\ufe0f\u00ad\u1806\u200c-\u200d\u2060\ufeff]/gu, '')
    .normalize('NFKC');
}

/**
 * Has a document say that its strings are encrypted as its streams are: PDFium refuses the right password of one that says
 * that they are not. Titles and names may be lost then, but not what pages say, which is in streams.
 * @param {Buffer} bytes of the document, which are changed
 * @returns whether anything was changed
 */
export function encryptStrings(bytes) {
  const streams = bytes.indexOf(STREAMS);
  const filter = /^\/StmF\s*(\/\w+)/.exec(near(bytes, streams))?.[1];
  if (streams < 0 || filter === undefined || filter === '/Identity') return false;
  let isChanged = false;
  for (let at = bytes.indexOf(STRINGS); at >= 0; at = bytes.indexOf(STRINGS, at + 1)) {
    const found = IDENTITY.exec(near(bytes, at));
    if (!found || filter.length > found[1].length) continue;
    bytes.write(filter.padEnd(found[1].length), at + found[0].length - found[1].length, 'latin1');
    isChanged = true;
  }
  return isChanged;
}

const near = (/** @type {Buffer} */ bytes, /** @type {number} */ at) => bytes.toString('latin1', at, at + NEAR);
