/**
 * What PDFium neither applies nor tells: the sizes of units of pages (`/UserUnit`, PDF 32000-1, table 30), and whether a
 * document has layers (`/OCProperties`, table 28).
 */
import { inflateSync } from 'node:zlib';

/** Bytes of a file in which they are looked for. Pages of maps and plans have them; large scans don't. */
const MAX_SIZE = 32 * 1024 * 1024;
const MAX_STREAMS = 500;
/** Bytes of an object stream. */
const MAX_UNFOLDED = 16 * 1024 * 1024;
const UNIT = '/UserUnit';
const LAYERS = '/OCProperties';

/**
 * @typedef {object} Facts
 * @property {Map<number, number>} units by the index of the page; pages with the usual unit, 1/72 inch, are left out
 * @property {boolean} mayHaveLayers false of a document that has none for sure
 */

/** @returns {Facts} */
export function factsOf(/** @type {Buffer} */ file) {
  const isPacked = file.includes('/ObjStm');
  if (file.length > MAX_SIZE || !(isPacked || file.includes(UNIT)))
    return { units: new Map(), mayHaveLayers: isPacked || file.includes(LAYERS) };
  const text = file.toString('latin1');
  const objects = objectsOf(text);
  const has = (/** @type {string} */ name) => [...objects.values()].some((object) => object.includes(name));
  // What is encrypted can't be read here.
  const mayHaveLayers = has(LAYERS) || (isPacked && file.includes('/Encrypt'));
  return { units: has(UNIT) ? userUnits(text, objects) : new Map(), mayHaveLayers };
}

function userUnits(/** @type {string} */ text, /** @type {Map<number, string>} */ objects) {
  const units = new Map();
  const root = [...text.matchAll(/\/Root\s+(\d+)\s+\d+\s+R/g)].at(-1)?.[1];
  const pages = /\/Pages\s+(\d+)\s+\d+\s+R/.exec(objects.get(Number(root)) ?? '')?.[1];
  for (const [at, page] of leavesOf(objects, Number(pages)).entries()) {
    const unit = Number(/\/UserUnit\s+(\d*\.?\d+)/.exec(objects.get(page) ?? '')?.[1]);
    if (Number.isFinite(unit) && unit > 0) units.set(at, unit);
  }
  return units;
}

/** Dictionaries by their numbers, of an object that was written again the last. @returns {Map<number, string>} */
function objectsOf(/** @type {string} */ text) {
  const objects = new Map();
  const starts = /\b(\d+)\s+\d+\s+obj\b/g;
  let streams = 0;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const end = text.indexOf('endobj', starts.lastIndex);
    const body = text.slice(starts.lastIndex, end < 0 ? undefined : end);
    // What is in a stream may look like an object. After one that doesn't end there is nothing to be sure of.
    starts.lastIndex = end < 0 ? text.length : end;
    const stream = /\bstream\r?\n/.exec(body);
    const dictionary = stream ? body.slice(0, stream.index) : body;
    objects.set(Number(start[1]), dictionary);
    if (!stream || !/\/Type\s*\/ObjStm\b/.test(dictionary) || ++streams > MAX_STREAMS) continue;
    const packed = Buffer.from(body.slice(stream.index + stream[0].length), 'latin1');
    for (const [inner, content] of packedObjects(dictionary, packed)) objects.set(inner, content);
  }
  return objects;
}

/** What an object stream holds; nothing of one that is damaged, encrypted or packed in a rare way. */
function packedObjects(/** @type {string} */ dictionary, /** @type {Buffer} */ packed) {
  const [count, first] = ['N', 'First'].map((key) => Number(new RegExp(`/${key}\\s+(\\d+)`).exec(dictionary)?.[1]));
  if (!(count >= 0 && first >= 0)) return [];
  const content = /\/FlateDecode\b/.test(dictionary) ? inflated(packed) : packed;
  const text = content.toString('latin1');
  const numbers = text.slice(0, first).match(/\d+/g)?.map(Number) ?? [];
  return Array.from({ length: Math.min(count, Math.floor(numbers.length / 2)) }, (_, at) => {
    const [from, to] = [numbers[2 * at + 1], numbers[2 * at + 3]];
    return /** @type {const} */ ([
      numbers[2 * at],
      text.slice(first + from, to === undefined ? undefined : first + to),
    ]);
  });
}

function inflated(/** @type {Buffer} */ packed) {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_UNFOLDED, finishFlush: 2 });
  } catch (error) {
    if (error.code?.startsWith('Z_') || error.code === 'ERR_BUFFER_TOO_LARGE') return Buffer.alloc(0);
    throw error;
  }
}

/** The pages of a tree in their order. A node that was met before is left out, as a damaged tree may be a circle. */
function leavesOf(/** @type {Map<number, string>} */ objects, /** @type {number} */ top) {
  const [leaves, met, left] = [[], new Set(), [top]];
  while (left.length > 0) {
    const number = left.pop();
    const node = objects.get(number);
    if (node === undefined || met.has(number)) continue;
    met.add(number);
    const kids = /\/Kids\s*\[([^\]]*)\]/.exec(node)?.[1];
    if (kids === undefined) leaves.push(number);
    else left.push(...[...kids.matchAll(/(\d+)\s+\d+\s+R/g)].map((kid) => Number(kid[1])).reverse());
  }
  return leaves;
}
