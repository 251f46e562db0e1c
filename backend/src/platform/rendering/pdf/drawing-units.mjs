/**
 * Properties that PDFium neither applies nor reports: the user units of pages (`/UserUnit`, PDF 32000-1, table 30), and
 * whether a document has layers (`/OCProperties`, table 28).
 */
import { objectsOf } from './pdf-objects.mjs';

const UNIT = '/UserUnit';
const LAYERS = '/OCProperties';

/**
 * @typedef {object} Facts
 * @property {Map<number, number>} units user unit by page index; pages with the default unit, 1/72 inch, are omitted
 * @property {boolean} mayHaveLayers false if the document certainly has none
 */

/** @returns {Facts} */
export function factsOf(/** @type {Buffer} */ file) {
  const isPacked = file.includes('/ObjStm');
  if (!isPacked && !file.includes(UNIT)) return { units: new Map(), mayHaveLayers: file.includes(LAYERS) };
  const { sources, isComplete, root } = objectsOf(file);
  const has = (/** @type {string} */ name) => [...sources.values()].some((source) => source.includes(name));
  // Objects that can't be read may define layers. Without object streams, the catalogue is in the file unpacked.
  const mayHaveLayers = file.includes(LAYERS) || has(LAYERS) || (isPacked && !isComplete);
  return { units: has(UNIT) ? userUnits(sources, root) : new Map(), mayHaveLayers };
}

function userUnits(/** @type {Map<number, string>} */ sources, /** @type {number | undefined} */ root) {
  const units = new Map();
  const pages = /\/Pages\s+(\d+)\s+\d+\s+R/.exec(sources.get(root) ?? '')?.[1];
  for (const [at, page] of leavesOf(sources, Number(pages)).entries()) {
    const unit = Number(/\/UserUnit\s+(\d*\.?\d+)/.exec(sources.get(page) ?? '')?.[1]);
    if (Number.isFinite(unit) && unit > 0) units.set(at, unit);
  }
  return units;
}

/**
 * Returns the pages of a tree in order. Skips nodes that were visited before, because a damaged tree may be circular.
 */
function leavesOf(/** @type {Map<number, string>} */ sources, /** @type {number} */ top) {
  const [leaves, met, left] = [[], new Set(), [top]];
  while (left.length > 0) {
    const number = left.pop();
    const node = sources.get(number);
    if (node === undefined || met.has(number)) continue;
    met.add(number);
    // The array only contains references. Without excluding the slash, each `/Kids[` would be scanned to the end of the
    // node.
    const kids = /\/Kids\s*\[([^\]/]*)\]/.exec(node)?.[1];
    if (kids === undefined) leaves.push(number);
    else for (const kid of [...kids.matchAll(/(\d+)\s+\d+\s+R/g)].reverse()) left.push(Number(kid[1]));
  }
  return leaves;
}
