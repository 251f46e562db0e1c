/** Reads raw objects of a PDF file, because PDFium gives access only to dictionaries for which it has functions. */
import { inflateSync } from 'node:zlib';

/** Maximum size of a file to search, in bytes. Maps and plans have custom units; large scans don't. */
const MAX_SIZE = 32 * 1024 * 1024;
const MAX_STREAMS = 500;
/** Maximum uncompressed bytes of an object stream. */
const MAX_UNCOMPRESSED = 16 * 1024 * 1024;
/** Maximum nesting of arrays and dictionaries. */
const MAX_DEPTH = 32;

/**
 * @typedef {object} PdfObjects
 * @property {Map<number, string>} sources source text of dictionaries and other values, by object number
 * @property {boolean} isComplete false if some couldn't be found or read
 * @property {number | undefined} root object number of the catalogue
 */

/** Reads the objects of a file; of an updated object, the last version. @returns {PdfObjects} */
export function readPdfObjects(/** @type {Buffer} */ file) {
  const sources = new Map();
  if (file.length > MAX_SIZE) return { sources, isComplete: false, root: undefined };
  const text = file.toString('latin1');
  // Encrypted content can't be read here.
  let isComplete = !text.includes('/Encrypt');
  const starts = /\b(\d+)\s+\d+\s+obj\b/g;
  let streams = 0;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const end = text.indexOf('endobj', starts.lastIndex);
    const body = text.slice(starts.lastIndex, end < 0 ? undefined : end);
    // Stream data may look like an object. After an unterminated object nothing is reliable.
    starts.lastIndex = end < 0 ? text.length : end;
    const streamStart = /\bstream\r?\n/.exec(body);
    const dictionary = streamStart ? body.slice(0, streamStart.index) : body;
    sources.set(Number(start[1]), dictionary);
    // Two streams indicate an unterminated object between them.
    if (end < 0 || body.indexOf('endstream') !== body.lastIndexOf('endstream')) isComplete = false;
    if (!streamStart || !/\/Type\s*\/ObjStm\b/.test(dictionary)) continue;
    const stream = Buffer.from(body.slice(streamStart.index + streamStart[0].length), 'latin1');
    const streamObjects = ++streams > MAX_STREAMS ? null : readObjectStream(dictionary, stream);
    if (streamObjects === null) isComplete = false;
    for (const [number, content] of streamObjects ?? []) sources.set(number, content);
  }
  const root = [...text.matchAll(/\/Root\s+(\d+)\s+\d+\s+R/g)].at(-1)?.[1];
  return { sources, isComplete, root: root === undefined ? undefined : Number(root) };
}

/** Returns the objects in an object stream; null if it is damaged, encrypted, too large, or uses a rare compression. */
function readObjectStream(/** @type {string} */ dictionary, /** @type {Buffer} */ stream) {
  const [count, first] = ['N', 'First'].map((key) => Number(new RegExp(`/${key}\\s+(\\d+)`).exec(dictionary)?.[1]));
  const isUncompressed = !dictionary.includes('/Filter');
  const isDeflated = /\/FlateDecode\b/.test(dictionary) && !dictionary.includes('/Predictor');
  if (!(count >= 0 && first >= 0) || !(isUncompressed || isDeflated)) return null;
  const content = isDeflated ? inflate(stream) : stream;
  if (content === null) return null;
  const text = content.toString('latin1');
  const numbers = text.slice(0, first).match(/\d+/g)?.map(Number) ?? [];
  return Array.from({ length: Math.min(count, Math.floor(numbers.length / 2)) }, (_, index) => {
    const [from, to] = [numbers[2 * index + 1], numbers[2 * index + 3]];
    return /** @type {const} */ ([
      numbers[2 * index],
      text.slice(first + from, to === undefined ? undefined : first + to),
    ]);
  });
}

function inflate(/** @type {Buffer} */ stream) {
  try {
    return inflateSync(stream, { maxOutputLength: MAX_UNCOMPRESSED, finishFlush: 2 });
  } catch (error) {
    if (error.code?.startsWith('Z_') || error.code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

/** A reference to another object. */
export class Reference {
  constructor(/** @type {number} */ number) {
    this.number = number;
  }
}

/**
 * A PDF value: a dictionary, an array or a reference. Names (with their slash) and numbers are kept as written; the
 * content of strings is dropped.
 * @typedef {Map<string, PdfValue> | PdfValue[] | Reference | string | null} PdfValue
 */

const WHITESPACE = /[\s\0]*/y;
const TOKEN = /<<|>>|[[\]]|\/[^\s\0()<>[\]{}/%]*|(\d+)\s+\d+\s+R\b|[^\s\0()<>[\]{}/%]+|<[^>]*>/y;

/** Parses the value at the beginning of a text; null if there is none. @returns {PdfValue} */
export function parseValue(/** @type {string} */ source) {
  return new ValueParser(source).value(0) ?? null;
}

class ValueParser {
  #at = 0;

  constructor(/** @type {string} */ source) {
    this.source = source;
  }

  /** @returns {PdfValue | undefined} undefined for closing brackets and the end of the text */
  value(/** @type {number} */ depth) {
    const token = this.#token();
    if (token instanceof Reference || token === null) return token;
    if (token === undefined || token === '>>' || token === ']' || depth > MAX_DEPTH) return undefined;
    if (token !== '<<' && token !== '[') return token.startsWith('<') ? null : token;
    const values = [];
    for (let value = this.value(depth + 1); value !== undefined; value = this.value(depth + 1)) values.push(value);
    if (token === '[') return values;
    return new Map(values.flatMap((key, index) => (index % 2 === 0 ? [[String(key), values[index + 1] ?? null]] : [])));
  }

  /** @returns {string | Reference | null | undefined} null for a string */
  #token() {
    this.#skip(WHITESPACE);
    while (this.source[this.#at] === '%') {
      this.#skip(/[^\r\n]*/y);
      this.#skip(WHITESPACE);
    }
    if (this.source[this.#at] === '(') return this.#string();
    const found = this.#skip(TOKEN);
    return found?.[1] === undefined ? found?.[0] : new Reference(Number(found[1]));
  }

  #string() {
    let depth = 0;
    for (; this.#at < this.source.length; this.#at++) {
      const character = this.source[this.#at];
      if (character === '\\') this.#at++;
      else if (character === '(') depth++;
      else if (character === ')' && --depth === 0) break;
    }
    this.#at++;
    return null;
  }

  #skip(/** @type {RegExp} */ pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.source);
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}
