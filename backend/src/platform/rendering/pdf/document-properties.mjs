/**
 * Properties that PDFium neither applies nor reports: the user units of pages (`/UserUnit`, PDF 32000-1, table 30), and
 * whether a document has layers (`/OCProperties`, table 28).
 */
import { readPdfObjects } from './pdf-objects.mjs';

const USER_UNIT_KEY = '/UserUnit';
const LAYERS_KEY = '/OCProperties';

/**
 * @typedef {object} DocumentProperties
 * @property {Map<number, number>} units user unit by page index; pages with the default unit, 1/72 inch, are omitted
 * @property {boolean} mayHaveLayers false if the document certainly has none
 */

/** @returns {DocumentProperties} */
export function readDocumentProperties(/** @type {Buffer} */ file) {
  const hasObjectStreams = file.includes('/ObjStm');
  if (!hasObjectStreams && !file.includes(USER_UNIT_KEY))
    return { units: new Map(), mayHaveLayers: file.includes(LAYERS_KEY) };
  const { sources, isComplete, root } = readPdfObjects(file);
  const contains = (/** @type {string} */ name) => [...sources.values()].some((source) => source.includes(name));
  // Objects that can't be read may define layers. Without object streams, the catalogue is in the file unpacked.
  const mayHaveLayers = file.includes(LAYERS_KEY) || contains(LAYERS_KEY) || (hasObjectStreams && !isComplete);
  return { units: contains(USER_UNIT_KEY) ? readUserUnits(sources, root) : new Map(), mayHaveLayers };
}

function readUserUnits(/** @type {Map<number, string>} */ sources, /** @type {number | undefined} */ root) {
  const units = new Map();
  const pages = /\/Pages\s+(\d+)\s+\d+\s+R/.exec(sources.get(root) ?? '')?.[1];
  for (const [index, page] of listPages(sources, Number(pages)).entries()) {
    const unit = Number(/\/UserUnit\s+(\d*\.?\d+)/.exec(sources.get(page) ?? '')?.[1]);
    if (Number.isFinite(unit) && unit > 0) units.set(index, unit);
  }
  return units;
}

/**
 * Returns the pages of a tree in order. Skips nodes that were visited before, because a damaged tree may be circular.
 */
function listPages(/** @type {Map<number, string>} */ sources, /** @type {number} */ root) {
  const [pages, visited, stack] = [[], new Set(), [root]];
  while (stack.length > 0) {
    const number = stack.pop();
    const node = sources.get(number);
    if (node === undefined || visited.has(number)) continue;
    visited.add(number);
    // The array only contains references. Without excluding the slash, each `/Kids[` would be scanned to the end of the
    // node.
    const kids = /\/Kids\s*\[([^\]/]*)\]/.exec(node)?.[1];
    if (kids === undefined) pages.push(number);
    else for (const kid of [...kids.matchAll(/(\d+)\s+\d+\s+R/g)].reverse()) stack.push(Number(kid[1]));
  }
  return pages;
}
