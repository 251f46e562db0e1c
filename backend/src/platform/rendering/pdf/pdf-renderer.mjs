/** Opens PDFs in the rendering process. PDFium keeps them in its own memory. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  allocate,
  free,
  withMemory,
  withCString,
  MAX_PAGES,
  pdfium,
  DocumentError,
  viewMemory,
} from '../pdfium-module.mjs';
import { encodePage, fitIntoPixels } from '../image-encoder.mjs';
import { generateMissingAppearances } from './annotation-appearances.mjs';
import { extractAttachment, listAttachments } from './attachments.mjs';
import { hasUndecodableScan } from './undecodable-scans.mjs';
import { hasFields } from './form-fields.mjs';
import { withFlattenedFields } from './flattened-fields.mjs';
import { LayerNumbers } from './hidden-layer-text.mjs';
import { readLinkAnnotations, readOutline } from './links-and-outline.mjs';
import { extractPageText, toPagePosition } from './page-text.mjs';
import { readDocumentProperties } from './document-properties.mjs';
import { hideInvisibleAnnotations } from './invisible-annotations.mjs';
import { LayerStates } from './layer-states.mjs';
import { PdfDocument } from './pdf-document.mjs';
import { declareStringsEncrypted, normalisePassword } from './pdf-password.mjs';

/** CPU milliseconds for a page below which it may be rendered again at smaller widths. */
const FAST_CPU_MS = 500;

/** Reasons why PDFium can't open a document (`FPDF_GetLastError`); all others mean damage. */
const OPEN_ERRORS = { 4: 'locked', 5: 'unsupported' };
/** `FORMTYPE_XFA_FULL`: the pages only ask for a program that lays out the form. */
const DYNAMIC_FORM = 2;
/** The PDF header must be within this many bytes. */
const MAX_HEADER_OFFSET = 1024;

/**
 * The bytes of a document in module memory, and its password.
 * @typedef {{ pointer: number, size: number, password: string | undefined }} Source
 */

/**
 * The layers of a document: which are off, and their numbers on its pages.
 * @typedef {{ states: LayerStates, numbers: LayerNumbers }} Layers
 */

/** @returns {import('../pdfium-module.mjs').OpenDocument} */
export function openPdf(/** @type {string} */ path, /** @type {string | undefined} */ password) {
  const bytes = readIntoModule(path);
  const { handle, source } = openWithPassword({ ...bytes, password });
  const opened = new PdfDocument(handle, bytes.pointer);
  try {
    if (pdfium._FPDF_GetFormType(handle) === DYNAMIC_FORM) throw new DocumentError('dynamic-form');
    const { units, mayHaveLayers } = readDocumentProperties(toBuffer(bytes));
    const layers = mayHaveLayers
      ? { states: new LayerStates(() => toBuffer(bytes)), numbers: new LayerNumbers(handle) }
      : null;
    return {
      sizes: readPageSizes(opened, units),
      renderPage: (page, widths) => renderPage(opened, layers, page, widths),
      extractText: (page) => extractText(handle, source, layers, page),
      readOutline: () => readOutline(handle),
      attachments: listAttachments(handle),
      extractAttachment: (number) => extractAttachment(handle, number),
      close: () => opened.close(),
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** Opens a document with its password, also in the form that programs normalise before encryption. */
function openWithPassword(/** @type {Source} */ source) {
  const { password } = source;
  let handle = loadDocument(source);
  if (handle !== 0) return { handle, source };
  const reason = OPEN_ERRORS[pdfium._FPDF_GetLastError()] ?? 'damaged';
  if (reason === 'locked' && password !== undefined) {
    const normalised = { ...source, password: normalisePassword(password) };
    if (normalised.password !== password) handle = loadDocument(normalised);
    if (handle === 0 && declareStringsEncrypted(toBuffer(source))) handle = loadDocument(normalised);
    if (handle !== 0) return { handle, source: normalised };
  }
  free(source.pointer);
  throw new DocumentError(reason);
}

function loadDocument(/** @type {Source} */ { pointer, size, password }) {
  if (password === undefined) return pdfium._FPDF_LoadMemDocument(pointer, size, 0);
  return withCString(password, (secret) => pdfium._FPDF_LoadMemDocument(pointer, size, secret));
}

const toBuffer = (/** @type {{ pointer: number, size: number }} */ { pointer, size }) =>
  Buffer.from(pdfium.HEAPU8.buffer, pointer, size);

function readIntoModule(/** @type {string} */ path) {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) throw new DocumentError('empty');
    const head = Buffer.alloc(Math.min(MAX_HEADER_OFFSET, size));
    readSync(file, head, 0, head.length, 0);
    if (!head.includes('%PDF-')) throw new DocumentError('wrong-type');
    const pointer = allocate(size);
    for (let at = 0; at < size;) {
      const read = readSync(file, pdfium.HEAPU8, pointer + at, size - at, at);
      if (read === 0) throw new Error('The file became shorter.');
      at += read;
    }
    return { pointer, size };
  } finally {
    closeSync(file);
  }
}

/**
 * Returns width and height of each page in points, without loading it; 0 and 0 for broken pages. A file may claim any
 * number of pages, so missing ones at the end are omitted.
 */
function readPageSizes(/** @type {PdfDocument} */ opened, /** @type {Map<number, number>} */ units) {
  const claimedCount = Math.min(opened.pageCount, MAX_PAGES + 1);
  /** @type {([number, number] | null)[]} */
  const sizes = withMemory(8, (pointer) =>
    Array.from({ length: Math.max(0, claimedCount) }, (_, index) => {
      if (pdfium._FPDF_GetPageSizeByIndexF(opened.handle, index, pointer) === 0) return null;
      const view = viewMemory(pointer, 8);
      const unit = units.get(index) ?? 1;
      const [width, height] = [view.getFloat32(0, true) * unit, view.getFloat32(4, true) * unit];
      return [width, height].every((side) => Number.isFinite(side) && side > 0) ? [width, height] : [0, 0];
    }),
  );
  const existing = sizes.slice(0, sizes.findLastIndex((size) => size !== null) + 1);
  if (existing.length === 0) throw new DocumentError('damaged');
  if (existing.length > MAX_PAGES) throw new DocumentError('too-many-pages');
  return existing.map((size) => size ?? [0, 0]);
}

/**
 * Renders each width separately, which is sharper and smaller than scaling down. If a page is slow, only the largest
 * width is rendered, and scaled down for the others.
 * @param {PdfDocument} opened
 * @param {Layers | null} layers
 * @param {number} page
 * @param {readonly number[]} widths
 */
async function renderPage(opened, layers, page, widths) {
  const cpuBefore = process.cpuUsage();
  const widest = Math.max(...widths);
  const rendered = renderAtWidth(opened, layers, page, widest);
  const { user, system } = process.cpuUsage(cpuBefore);
  if (widths.length === 1 || (user + system) / 1000 > FAST_CPU_MS)
    return encodePage(rendered.pixels, rendered.size, widths);
  const pictures = [];
  for (const width of widths) {
    const { pixels, size } = width === widest ? rendered : renderAtWidth(opened, layers, page, width);
    pictures.push(...(await encodePage(pixels, size, [width])));
  }
  return pictures;
}

/**
 * @param {PdfDocument} opened
 * @param {Layers | null} layers
 * @param {number} number of the page, from 1
 * @param {number} requestedWidth its width in pixels
 */
function renderAtWidth(opened, layers, number, requestedWidth) {
  const page = pdfium._FPDF_LoadPage(opened.handle, number - 1);
  if (page === 0) throw new DocumentError('damaged');
  const [width, height] = fitIntoPixels(
    pdfium._FPDF_GetPageWidthF(page),
    pdfium._FPDF_GetPageHeightF(page),
    requestedWidth,
  );
  let pixels = null;
  // They are NaN when the page has no size.
  if (width >= 1 && height >= 1) {
    hideInvisibleAnnotations(page, layers?.states ?? null);
    generateMissingAppearances(page);
    pixels = opened.render(number, page, width, height);
  }
  pdfium._FPDF_ClosePage(page);
  if (pixels === null || hasUndecodableScan(opened.handle, number, pixels)) throw new DocumentError('damaged');
  return { pixels, size: /** @type {const} */ ({ width, height, channels: 4 }) };
}

/**
 * Extracts the text of a page with its positions.
 * @param {number} document
 * @param {Source} source
 * @param {Layers | null} layers
 * @param {number} number of the page, from 1
 */
function extractText(document, source, layers, number) {
  const page = pdfium._FPDF_LoadPage(document, number - 1);
  if (page === 0) throw new DocumentError('damaged');
  const states = layers?.states ?? null;
  hideInvisibleAnnotations(page, states);
  // Flattening removes the annotations, so links are read before.
  const linkAnnotations = readLinkAnnotations(document, page, (box) => toPagePosition(page, box));
  const secondHandle = hasFields(page) ? loadDocument(source) : 0;
  // If there is no memory to open it again, only the text of the page itself is read.
  const extracted =
    secondHandle === 0
      ? extractPageText(page, { layerNumbers: layers?.numbers ?? null, linkAnnotations })
      : withFlattenedFields(secondHandle, number - 1, states, (flattened, fieldsWithoutAppearance) =>
          extractPageText(flattened, {
            layerNumbers: layers && new LayerNumbers(secondHandle),
            linkAnnotations,
            fieldsWithoutAppearance,
          }),
        );
  pdfium._FPDF_ClosePage(page);
  return extracted;
}
