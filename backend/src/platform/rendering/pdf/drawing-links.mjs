/** Link targets of a page or an outline, as read by the rendering process. */
import { inRoom, module, textOf, viewOf } from '../drawing-module.mjs';

const MAX_LINKS = 2000;
/** In characters. */
const LONGEST_ADDRESS = 2000;
/** Allowed protocols of external links; none makes the browser execute anything. */
const OUTSIDE = ['http:', 'https:', 'mailto:'];
/** Types of actions (`PDFACTION_…`). */
const GO_TO = 1;
const ADDRESS = 3;
/** Annotation flag (PDF 32000-1, table 165); `hideUnseen` sets it for annotations that aren't shown. */
const HIDDEN = 2;

const MAX_ENTRIES = 2000;
const MAX_LEVELS = 8;
const LONGEST_TITLE = 200;
/** Maximum bytes of a title that are read. */
const TITLE_BYTES = 65_536;

/** @typedef {{x: number, y: number, w: number, h: number}} Place */

/**
 * The text of a page in which URLs are searched.
 * @typedef {object} LinkedText
 * @property {number} text handle of the text; 0 for a page without text
 * @property {Set<number>} hidden text objects to ignore
 * @property {(box: import('./drawing-text.mjs').Box) => number[] | null} placeOf
 */

/**
 * Adds URLs in the text of a page where there is no link annotation.
 * @param {import('../rendering-protocol.js').PageLink[]} made
 * @param {LinkedText} page
 * @returns {import('../rendering-protocol.js').PageLink[]}
 */
export function withWrittenLinks(made, { text, hidden, placeOf }) {
  const written = text === 0 ? [] : writtenLinks(text, hidden, placeOf);
  return [...made, ...written.filter((link) => !made.some((other) => covers(other, link)))].slice(0, MAX_LINKS);
}

/**
 * Returns the visible link annotations of a page.
 * @param {number} document
 * @param {number} page
 * @param {(box: import('./drawing-text.mjs').Box) => number[] | null} placeOf
 * @returns {import('../rendering-protocol.js').PageLink[]}
 */
export function madeLinksOf(document, page, placeOf) {
  const links = [];
  return inRoom(24, (pointer) => {
    viewOf(pointer, 4).setInt32(0, 0, true);
    while (links.length < MAX_LINKS && module._FPDFLink_Enumerate(page, pointer, pointer + 4) !== 0) {
      const link = viewOf(pointer, 8).getUint32(4, true);
      if (isHidden(page, link)) continue;
      const target = targetOf(document, module._FPDFLink_GetAction(link), () =>
        module._FPDFLink_GetDest(document, link),
      );
      if (!target || module._FPDFLink_GetAnnotRect(link, pointer + 8) === 0) continue;
      const view = viewOf(pointer + 8, 16);
      const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true));
      const place = placeOf({ left, top, right, bottom });
      if (place) links.push({ ...placed(place), ...target });
    }
    return links;
  });
}

function isHidden(/** @type {number} */ page, /** @type {number} */ link) {
  const annotation = module._FPDFLink_GetAnnot(page, link);
  if (annotation === 0) return false;
  const flags = module._FPDFAnnot_GetFlags(annotation);
  module._FPDFPage_CloseAnnot(annotation);
  return (flags & HIDDEN) !== 0;
}

/**
 * Returns a page of the document or an external URL; null for links without a target and for other actions. Checks the
 * action first: otherwise a destination in another document would be taken for one in this document.
 */
function targetOf(document, action, destination) {
  const kind = action === 0 ? GO_TO : module._FPDFAction_GetType(action);
  if (kind === GO_TO) return pageAt(document, destination());
  if (kind !== ADDRESS) return null;
  const write = (pointer, size) => module._FPDFAction_GetURIPath(document, action, pointer, size);
  return addressOf(textOf(write, 'utf8', LONGEST_ADDRESS));
}

function pageAt(document, destination) {
  if (destination === 0) return null;
  const page = module._FPDFDest_GetDestPageIndex(document, destination) + 1;
  return page >= 1 && page <= module._FPDF_GetPageCount(document) ? { page } : null;
}

function addressOf(/** @type {string} */ text) {
  if (!URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  if (!OUTSIDE.includes(url.protocol) || url.href.length > LONGEST_ADDRESS) return null;
  return { url: url.href };
}

function writtenLinks(text, /** @type {Set<number>} */ hidden, placeOf) {
  const found = module._FPDFLink_LoadWebLinks(text);
  if (found === 0) return [];
  const links = [];
  const count = module._FPDFLink_CountWebLinks(found);
  for (let at = 0; at < count && links.length < MAX_LINKS; at++) {
    if (hidden.has(module._FPDFText_GetTextObject(text, beginOf(found, at)))) continue;
    // The function counts in UTF-16 code units of two bytes.
    const write = (pointer, size) => module._FPDFLink_GetURL(found, at, pointer, size / 2) * 2;
    const target = addressOf(textOf(write, 'utf16le', 2 * LONGEST_ADDRESS));
    if (target) links.push(...rectanglesOf(found, at, placeOf).map((place) => ({ ...placed(place), ...target })));
  }
  module._FPDFLink_CloseWebLinks(found);
  return links;
}

/** Returns the index of a URL's first character on the page. */
function beginOf(found, at) {
  return inRoom(8, (pointer) => {
    module._FPDFLink_GetTextRange(found, at, pointer, pointer + 4);
    return viewOf(pointer, 4).getInt32(0, true);
  });
}

/** A URL that continues on the next line has two rectangles. */
function rectanglesOf(found, at, placeOf) {
  const count = Math.min(module._FPDFLink_CountRects(found, at), MAX_LINKS);
  return inRoom(32, (pointer) =>
    Array.from({ length: count }, (_, number) => {
      const [a, b, c, d] = [0, 8, 16, 24].map((offset) => pointer + offset);
      if (module._FPDFLink_GetRect(found, at, number, a, b, c, d) === 0) return null;
      const view = viewOf(pointer, 32);
      const [left, top, right, bottom] = [0, 8, 16, 24].map((offset) => view.getFloat64(offset, true));
      return placeOf({ left, top, right, bottom });
    }).filter((place) => place !== null),
  );
}

const placed = (/** @type {number[]} */ [x, y, w, h]) => ({ x, y, w, h });

/** Whether the centre of one is inside the other. */
function covers(/** @type {Place} */ one, /** @type {Place} */ other) {
  const [x, y] = [other.x + other.w / 2, other.y + other.h / 2];
  return x >= one.x && x <= one.x + one.w && y >= one.y && y <= one.y + one.h;
}

/**
 * Returns the outline of a document in reading order; entries that are too deep or circular are omitted.
 * @param {number} document
 * @returns {import('../rendering-protocol.js').OutlineEntry[]}
 */
export function outlineOf(document) {
  const entries = [];
  const seen = new Set();
  const waiting = [{ entry: module._FPDFBookmark_GetFirstChild(document, 0), level: 1 }];
  while (waiting.length > 0 && seen.size < MAX_ENTRIES) {
    const { entry, level } = waiting.pop();
    if (entry === 0 || seen.has(entry)) continue;
    seen.add(entry);
    entries.push(entryOf(document, entry, level));
    // A stack: the entry pushed last is visited first, so children come before siblings.
    waiting.push({ entry: module._FPDFBookmark_GetNextSibling(document, entry), level });
    if (level < MAX_LEVELS)
      waiting.push({ entry: module._FPDFBookmark_GetFirstChild(document, entry), level: level + 1 });
  }
  return entries.filter(({ title }) => title !== '');
}

function entryOf(document, entry, level) {
  const write = (pointer, size) => module._FPDFBookmark_GetTitle(entry, pointer, size);
  const title = textOf(write, 'utf16le', TITLE_BYTES)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const action = module._FPDFBookmark_GetAction(entry);
  const target = targetOf(document, action, () => module._FPDFBookmark_GetDest(document, entry));
  return { title: [...title].slice(0, LONGEST_TITLE).join(''), page: target?.page ?? null, level };
}
