/** Opens PDFs in the rendering process. PDFium keeps them in its own memory. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { allocate, free, inRoom, inText, MAX_PAGES, module, Refusal, viewOf } from '../drawing-module.mjs';
import { packed, pixelsOf } from '../drawing-pixels.mjs';
import { addMissingPictures } from './drawing-annotations.mjs';
import { attachmentOf, attachmentsOf } from './drawing-attachments.mjs';
import { isLostScan } from './drawing-blank.mjs';
import { hasFields } from './drawing-fields.mjs';
import { withFlatFields } from './drawing-flat-fields.mjs';
import { LayerMarks } from './drawing-layers.mjs';
import { madeLinksOf, outlineOf } from './drawing-links.mjs';
import { pageText, placeOf } from './drawing-text.mjs';
import { factsOf } from './drawing-units.mjs';
import { hideUnseen } from './drawing-unseen.mjs';
import { LayerStates } from './layer-states.mjs';
import { PdfDocument } from './pdf-document.mjs';
import { encryptStrings, prepared } from './pdf-password.mjs';

/** CPU milliseconds for a page below which it may be rendered again at smaller widths. */
const QUICK = 500;

/** Reasons why PDFium can't open a document (`FPDF_GetLastError`); all others mean damage. */
const REASONS = { 4: 'locked', 5: 'unsupported' };
/** `FORMTYPE_XFA_FULL`: the pages only ask for a program that lays out the form. */
const DYNAMIC_FORM = 2;
/** The PDF header must be within this many bytes. */
const HEAD = 1024;

/**
 * The bytes of a document in module memory, and its password.
 * @typedef {{ pointer: number, size: number, password: string | undefined }} Source
 */

/**
 * The layers of a document: which are off, and their numbers on its pages.
 * @typedef {{ states: LayerStates, marks: LayerMarks }} Layers
 */

/** @returns {import('../drawing-module.mjs').OpenDocument} */
export function openPdf(/** @type {string} */ path, /** @type {string | undefined} */ password) {
  const bytes = readIntoModule(path);
  const { handle, source } = load({ ...bytes, password });
  const opened = new PdfDocument(handle, bytes.pointer);
  try {
    if (module._FPDF_GetFormType(handle) === DYNAMIC_FORM) throw new Refusal('dynamic-form');
    const { units, mayHaveLayers } = factsOf(bufferOf(bytes));
    const layers = mayHaveLayers
      ? { states: new LayerStates(() => bufferOf(bytes)), marks: new LayerMarks(handle) }
      : null;
    return {
      sizes: sizesOf(opened, units),
      draw: (page, widths) => draw(opened, layers, page, widths),
      text: (page) => text(handle, source, layers, page),
      outline: () => outlineOf(handle),
      attachments: attachmentsOf(handle),
      attachment: (number) => attachmentOf(handle, number),
      close: () => opened.close(),
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** Opens a document with its password, also in the form that programs normalise before encryption. */
function load(/** @type {Source} */ source) {
  const { password } = source;
  let handle = handleOf(source);
  if (handle !== 0) return { handle, source };
  const reason = REASONS[module._FPDF_GetLastError()] ?? 'damaged';
  if (reason === 'locked' && password !== undefined) {
    const again = { ...source, password: prepared(password) };
    if (again.password !== password) handle = handleOf(again);
    if (handle === 0 && encryptStrings(bufferOf(source))) handle = handleOf(again);
    if (handle !== 0) return { handle, source: again };
  }
  free(source.pointer);
  throw new Refusal(reason);
}

function handleOf(/** @type {Source} */ { pointer, size, password }) {
  if (password === undefined) return module._FPDF_LoadMemDocument(pointer, size, 0);
  return inText(password, (secret) => module._FPDF_LoadMemDocument(pointer, size, secret));
}

const bufferOf = (/** @type {{ pointer: number, size: number }} */ { pointer, size }) =>
  Buffer.from(module.HEAPU8.buffer, pointer, size);

function readIntoModule(/** @type {string} */ path) {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) throw new Refusal('empty');
    const head = Buffer.alloc(Math.min(HEAD, size));
    readSync(file, head, 0, head.length, 0);
    if (!head.includes('%PDF-')) throw new Refusal('wrong-type');
    const pointer = allocate(size);
    for (let at = 0; at < size;) {
      const read = readSync(file, module.HEAPU8, pointer + at, size - at, at);
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
function sizesOf(/** @type {PdfDocument} */ opened, /** @type {Map<number, number>} */ units) {
  const claimed = Math.min(opened.pageCount, MAX_PAGES + 1);
  /** @type {([number, number] | null)[]} */
  const sizes = inRoom(8, (pointer) =>
    Array.from({ length: Math.max(0, claimed) }, (_, at) => {
      if (module._FPDF_GetPageSizeByIndexF(opened.handle, at, pointer) === 0) return null;
      const view = viewOf(pointer, 8);
      const unit = units.get(at) ?? 1;
      const [width, height] = [view.getFloat32(0, true) * unit, view.getFloat32(4, true) * unit];
      return [width, height].every((side) => Number.isFinite(side) && side > 0) ? [width, height] : [0, 0];
    }),
  );
  const there = sizes.slice(0, sizes.findLastIndex((size) => size !== null) + 1);
  if (there.length === 0) throw new Refusal('damaged');
  if (there.length > MAX_PAGES) throw new Refusal('too-many-pages');
  return there.map((size) => size ?? [0, 0]);
}

/**
 * Renders each width separately, which is sharper and smaller than scaling down. If a page is slow, only the largest
 * width is rendered, and scaled down for the others.
 * @param {PdfDocument} opened
 * @param {Layers | null} layers
 * @param {number} page
 * @param {readonly number[]} widths
 */
async function draw(opened, layers, page, widths) {
  const before = process.cpuUsage();
  const widest = Math.max(...widths);
  const drawn = drawnAt(opened, layers, page, widest);
  const { user, system } = process.cpuUsage(before);
  if (widths.length === 1 || (user + system) / 1000 > QUICK) return packed(drawn.pixels, drawn.size, widths);
  const pictures = [];
  for (const width of widths) {
    const { pixels, size } = width === widest ? drawn : drawnAt(opened, layers, page, width);
    pictures.push(...(await packed(pixels, size, [width])));
  }
  return pictures;
}

/**
 * @param {PdfDocument} opened
 * @param {Layers | null} layers
 * @param {number} number of the page, from 1
 * @param {number} wanted its width in pixels
 */
function drawnAt(opened, layers, number, wanted) {
  const page = module._FPDF_LoadPage(opened.handle, number - 1);
  if (page === 0) throw new Refusal('damaged');
  const [width, height] = pixelsOf(module._FPDF_GetPageWidthF(page), module._FPDF_GetPageHeightF(page), wanted);
  let pixels = null;
  // They are NaN when the page has no size.
  if (width >= 1 && height >= 1) {
    hideUnseen(page, layers?.states ?? null);
    addMissingPictures(page);
    pixels = opened.draw(number, page, width, height);
  }
  module._FPDF_ClosePage(page);
  if (pixels === null || isLostScan(opened.handle, number, pixels)) throw new Refusal('damaged');
  return { pixels, size: /** @type {const} */ ({ width, height, channels: 4 }) };
}

/**
 * Extracts the text of a page with its positions.
 * @param {number} document
 * @param {Source} source
 * @param {Layers | null} layers
 * @param {number} number of the page, from 1
 */
function text(document, source, layers, number) {
  const page = module._FPDF_LoadPage(document, number - 1);
  if (page === 0) throw new Refusal('damaged');
  const states = layers?.states ?? null;
  hideUnseen(page, states);
  // Flattening removes the annotations, so links are read before.
  const madeLinks = madeLinksOf(document, page, (box) => placeOf(page, box));
  const again = hasFields(page) ? handleOf(source) : 0;
  // If there is no memory to open it again, only the text of the page itself is read.
  const read =
    again === 0
      ? pageText(page, { marks: layers?.marks ?? null, madeLinks })
      : withFlatFields(again, number - 1, states, (flat, bareFields) =>
          pageText(flat, { marks: layers && new LayerMarks(again), madeLinks, bareFields }),
        );
  module._FPDF_ClosePage(page);
  return read;
}
