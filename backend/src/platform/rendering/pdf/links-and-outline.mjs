/** Link targets of a page or an outline, as read by the rendering process. */
import { withMemory, pdfium, readString, viewMemory } from '../pdfium-module.mjs';

const MAX_LINKS = 2000;
/** In characters. */
const MAX_URL_LENGTH = 2000;
/** Allowed protocols of external links; none makes the browser execute anything. */
const ALLOWED_PROTOCOLS = ['http:', 'https:', 'mailto:'];
/** Types of actions (`PDFACTION_…`). */
const GO_TO = 1;
const URI = 3;
/** Annotation flag (PDF 32000-1, table 165); `hideInvisibleAnnotations` sets it for annotations that aren't shown. */
const HIDDEN = 2;

const MAX_ENTRIES = 2000;
const MAX_LEVELS = 8;
const MAX_TITLE_LENGTH = 200;
/** Maximum bytes of a title that are read. */
const TITLE_BYTES = 65_536;

/** @typedef {{x: number, y: number, w: number, h: number}} Rectangle */

/**
 * The text of a page in which URLs are searched.
 * @typedef {object} LinkSource
 * @property {number} text handle of the text; 0 for a page without text
 * @property {Set<number>} hidden text objects to ignore
 * @property {(box: import('./page-text.mjs').Box) => number[] | null} toPagePosition
 */

/**
 * Adds URLs in the text of a page where there is no link annotation.
 * @param {import('../rendering-protocol.js').PageLink[]} annotations
 * @param {LinkSource} page
 * @returns {import('../rendering-protocol.js').PageLink[]}
 */
export function addTextLinks(annotations, { text, hidden, toPagePosition }) {
  const textLinks = text === 0 ? [] : findTextLinks(text, hidden, toPagePosition);
  return [
    ...annotations,
    ...textLinks.filter((link) => !annotations.some((other) => containsCentre(other, link))),
  ].slice(0, MAX_LINKS);
}

/**
 * Returns the visible link annotations of a page.
 * @param {number} document
 * @param {number} page
 * @param {(box: import('./page-text.mjs').Box) => number[] | null} toPagePosition
 * @returns {import('../rendering-protocol.js').PageLink[]}
 */
export function readLinkAnnotations(document, page, toPagePosition) {
  const links = [];
  return withMemory(24, (pointer) => {
    viewMemory(pointer, 4).setInt32(0, 0, true);
    while (links.length < MAX_LINKS && pdfium._FPDFLink_Enumerate(page, pointer, pointer + 4) !== 0) {
      const link = viewMemory(pointer, 8).getUint32(4, true);
      if (isHidden(page, link)) continue;
      const target = readTarget(document, pdfium._FPDFLink_GetAction(link), () =>
        pdfium._FPDFLink_GetDest(document, link),
      );
      if (!target || pdfium._FPDFLink_GetAnnotRect(link, pointer + 8) === 0) continue;
      const view = viewMemory(pointer + 8, 16);
      const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true));
      const position = toPagePosition({ left, top, right, bottom });
      if (position) links.push({ ...toRectangle(position), ...target });
    }
    return links;
  });
}

function isHidden(/** @type {number} */ page, /** @type {number} */ link) {
  const annotation = pdfium._FPDFLink_GetAnnot(page, link);
  if (annotation === 0) return false;
  const flags = pdfium._FPDFAnnot_GetFlags(annotation);
  pdfium._FPDFPage_CloseAnnot(annotation);
  return (flags & HIDDEN) !== 0;
}

/**
 * Returns a page of the document or an external URL; null for links without a target and for other actions. Checks the
 * action first: otherwise a destination in another document would be taken for one in this document.
 */
function readTarget(document, action, destination) {
  const kind = action === 0 ? GO_TO : pdfium._FPDFAction_GetType(action);
  if (kind === GO_TO) return toPageTarget(document, destination());
  if (kind !== URI) return null;
  const write = (pointer, size) => pdfium._FPDFAction_GetURIPath(document, action, pointer, size);
  return toUrlTarget(readString(write, 'utf8', MAX_URL_LENGTH));
}

function toPageTarget(document, destination) {
  if (destination === 0) return null;
  const page = pdfium._FPDFDest_GetDestPageIndex(document, destination) + 1;
  return page >= 1 && page <= pdfium._FPDF_GetPageCount(document) ? { page } : null;
}

function toUrlTarget(/** @type {string} */ text) {
  if (!URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  if (!ALLOWED_PROTOCOLS.includes(url.protocol) || url.href.length > MAX_URL_LENGTH) return null;
  return { url: url.href };
}

function findTextLinks(text, /** @type {Set<number>} */ hidden, toPagePosition) {
  const webLinks = pdfium._FPDFLink_LoadWebLinks(text);
  if (webLinks === 0) return [];
  const links = [];
  const count = pdfium._FPDFLink_CountWebLinks(webLinks);
  for (let index = 0; index < count && links.length < MAX_LINKS; index++) {
    if (hidden.has(pdfium._FPDFText_GetTextObject(text, firstCharacter(webLinks, index)))) continue;
    // The function counts in UTF-16 code units of two bytes.
    const write = (pointer, size) => pdfium._FPDFLink_GetURL(webLinks, index, pointer, size / 2) * 2;
    const target = toUrlTarget(readString(write, 'utf16le', 2 * MAX_URL_LENGTH));
    if (target)
      links.push(
        ...readRectangles(webLinks, index, toPagePosition).map((position) => ({ ...toRectangle(position), ...target })),
      );
  }
  pdfium._FPDFLink_CloseWebLinks(webLinks);
  return links;
}

/** Returns the index of a URL's first character on the page. */
function firstCharacter(webLinks, at) {
  return withMemory(8, (pointer) => {
    pdfium._FPDFLink_GetTextRange(webLinks, at, pointer, pointer + 4);
    return viewMemory(pointer, 4).getInt32(0, true);
  });
}

/** A URL that continues on the next line has two rectangles. */
function readRectangles(webLinks, at, toPagePosition) {
  const count = Math.min(pdfium._FPDFLink_CountRects(webLinks, at), MAX_LINKS);
  return withMemory(32, (pointer) =>
    Array.from({ length: count }, (_, number) => {
      const [a, b, c, d] = [0, 8, 16, 24].map((offset) => pointer + offset);
      if (pdfium._FPDFLink_GetRect(webLinks, at, number, a, b, c, d) === 0) return null;
      const view = viewMemory(pointer, 32);
      const [left, top, right, bottom] = [0, 8, 16, 24].map((offset) => view.getFloat64(offset, true));
      return toPagePosition({ left, top, right, bottom });
    }).filter((position) => position !== null),
  );
}

const toRectangle = (/** @type {number[]} */ [x, y, w, h]) => ({ x, y, w, h });

/** Whether the centre of one is inside the other. */
function containsCentre(/** @type {Rectangle} */ one, /** @type {Rectangle} */ other) {
  const [x, y] = [other.x + other.w / 2, other.y + other.h / 2];
  return x >= one.x && x <= one.x + one.w && y >= one.y && y <= one.y + one.h;
}

/**
 * Returns the outline of a document in reading order; entries that are too deep or circular are omitted.
 * @param {number} document
 * @returns {import('../rendering-protocol.js').OutlineEntry[]}
 */
export function readOutline(document) {
  const entries = [];
  const seen = new Set();
  const stack = [{ entry: pdfium._FPDFBookmark_GetFirstChild(document, 0), level: 1 }];
  while (stack.length > 0 && seen.size < MAX_ENTRIES) {
    const { entry, level } = stack.pop();
    if (entry === 0 || seen.has(entry)) continue;
    seen.add(entry);
    entries.push(readEntry(document, entry, level));
    // A stack: the entry pushed last is visited first, so children come before siblings.
    stack.push({ entry: pdfium._FPDFBookmark_GetNextSibling(document, entry), level });
    if (level < MAX_LEVELS)
      stack.push({ entry: pdfium._FPDFBookmark_GetFirstChild(document, entry), level: level + 1 });
  }
  return entries.filter(({ title }) => title !== '');
}

function readEntry(document, entry, level) {
  const write = (pointer, size) => pdfium._FPDFBookmark_GetTitle(entry, pointer, size);
  const title = readString(write, 'utf16le', TITLE_BYTES)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const action = pdfium._FPDFBookmark_GetAction(entry);
  const target = readTarget(document, action, () => pdfium._FPDFBookmark_GetDest(document, entry));
  return { title: [...title].slice(0, MAX_TITLE_LENGTH).join(''), page: target?.page ?? null, level };
}
