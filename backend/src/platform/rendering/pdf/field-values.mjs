/**
 * Renders values of text fields with letters that PDFium omits: it writes Latin letters only in the Central European
 * code page, which lacks Turkish, Baltic and Vietnamese ones. Such values are removed from their fields and rendered over
 * the page.
 */
import { defaultFont } from '../fonts/installed-fonts.mjs';
import { withMemory, withCString, pdfium, viewMemory } from '../pdfium-module.mjs';
import { readTextField, withAnnotation } from './form-fields.mjs';

const UNSUPPORTED_LETTERS = /[\u0100-\u024f\u1e00-\u1eff]/u;
/** `FPDF_FONT_TRUETYPE` */
const TRUETYPE = 2;
/** `FPDF_ANNOT_APPEARANCEMODE_NORMAL` */
const NORMAL_APPEARANCE = 0;
/** Flag of a multi-line text field (PDF 32000-1, table 228). */
const MULTILINE = 1 << 12;
/** `/Q`: alignment of the lines (table 230). */
const CENTRED = 1;
const RIGHT = 2;
/** In points: the horizontal padding, and the maximum font size of fields with automatic size. */
const PADDING = 2;
const MAX_AUTO_SIZE = 12;
/**
 * Relative to the font size: the height a line needs, the line spacing, and the distance from the middle of a line to
 * its baseline.
 */
const LINE_SPACE = 1.4;
const LINE_SPACING = 1.15;
const BASELINE_OFFSET = 0.35;

/**
 * @typedef {object} FieldValue
 * @property {import('./page-text.mjs').Box} box in points of the page
 * @property {string[]} lines
 * @property {number} size font size in points
 * @property {number} alignment 0 left, 1 centred, 2 right
 * @property {boolean} isMultiline
 * @property {[red: number, green: number, blue: number]} colour
 */

/**
 * The bitmap to render on.
 * @typedef {object} Bitmap
 * @property {number} bitmap
 * @property {number} width in pixels
 * @property {number} height in pixels
 * @property {number} flags
 */

/**
 * Removes values from the fields of a page, together with the appearance that PDFium has generated.
 * @param {number} page
 * @param {number} forms
 * @param {readonly number[]} withoutAppearance the fields without an appearance of their own
 * @returns {FieldValue[]}
 */
export function detachFieldValues(page, forms, withoutAppearance) {
  if (defaultFont() === null) return [];
  return withoutAppearance.flatMap((at) => {
    const field = readTextField(page, forms, at);
    if (!field || !UNSUPPORTED_LETTERS.test(field.value)) return [];
    return withAnnotation(page, at, (annotation) => {
      const value = toFieldValue(forms, annotation, field);
      withMemory(2, (empty) => {
        viewMemory(empty, 2).setUint16(0, 0, true);
        withCString('V', (key) => pdfium._FPDFAnnot_SetStringValue(annotation, key, empty));
      });
      pdfium._FPDFAnnot_SetAP(annotation, NORMAL_APPEARANCE, 0);
      return [value];
    });
  });
}

/** @returns {FieldValue} */
function toFieldValue(
  /** @type {number} */ forms,
  /** @type {number} */ annotation,
  /** @type {import('./form-fields.mjs').FieldWithoutAppearance} */ { box, value, size },
) {
  const isMultiline = (pdfium._FPDFAnnot_GetFormFieldFlags(forms, annotation) & MULTILINE) !== 0;
  const lines = isMultiline ? value.split(/\r\n|\r|\n/u) : [value.replace(/[\r\n]+/gu, ' ')];
  const autoSize = Math.min(MAX_AUTO_SIZE, (box.top - box.bottom) / LINE_SPACE);
  return {
    box,
    lines,
    isMultiline,
    size: size > 0 ? size : autoSize,
    alignment: readNumber(annotation, 'Q'),
    colour: readColour(forms, annotation),
  };
}

function readNumber(/** @type {number} */ annotation, /** @type {string} */ key) {
  return withMemory(4, (pointer) => {
    const isFound = withCString(key, (name) => pdfium._FPDFAnnot_GetNumberValue(annotation, name, pointer) !== 0);
    return isFound ? viewMemory(pointer, 4).getFloat32(0, true) : 0;
  });
}

/** @returns {[red: number, green: number, blue: number]} */
function readColour(/** @type {number} */ forms, /** @type {number} */ annotation) {
  return withMemory(12, (pointer) => {
    if (pdfium._FPDFAnnot_GetFontColor(forms, annotation, pointer, pointer + 4, pointer + 8) === 0) return [0, 0, 0];
    const view = viewMemory(pointer, 12);
    return [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)];
  });
}

/** Renders values over a page on which everything else is already rendered. */
export function renderFieldValues(
  /** @type {readonly FieldValue[]} */ values,
  /** @type {number} */ page,
  /** @type {Bitmap} */ { bitmap, width, height, flags },
) {
  const fontFile = defaultFont();
  const document = pdfium._FPDF_CreateNewDocument();
  withMemory(fontFile.length, (pointer) => {
    pdfium.HEAPU8.set(fontFile, pointer);
    const font = pdfium._FPDFText_LoadFont(document, pointer, fontFile.length, TRUETYPE, 1);
    const overlay = pdfium._FPDFPage_New(document, 0, width, height);
    for (const value of values) {
      const matrix = fieldToBitmap(value.box, page, width, height);
      for (const { text, x, y, condensing } of layOutLines(value, { document, font })) {
        const object = createTextObject(text, value.size, { document, font });
        pdfium._FPDFPageObj_SetFillColor(object, ...value.colour, 255);
        const [a, b, c, d, e, f] = matrix;
        pdfium._FPDFPageObj_Transform(
          object,
          a * condensing,
          b * condensing,
          c,
          d,
          e + a * x + c * y,
          f + b * x + d * y,
        );
        pdfium._FPDFPage_InsertObject(overlay, object);
      }
    }
    pdfium._FPDF_RenderPageBitmap(bitmap, overlay, 0, 0, width, height, 0, flags);
    pdfium._FPDF_ClosePage(overlay);
    pdfium._FPDFFont_Close(font);
  });
  pdfium._FPDF_CloseDocument(document);
}

/** Returns the matrix from points in a field to pixels of the picture, both from the lower left corner. */
function fieldToBitmap(
  /** @type {import('./page-text.mjs').Box} */ { left, top, right, bottom },
  /** @type {number} */ page,
  /** @type {number} */ width,
  /** @type {number} */ height,
) {
  const transformPoint = (/** @type {number} */ x, /** @type {number} */ y) =>
    withMemory(8, (pointer) => {
      pdfium._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, pointer, pointer + 4);
      const view = viewMemory(pointer, 8);
      return [view.getInt32(0, true), height - view.getInt32(4, true)];
    });
  const [corner, across, up] = [transformPoint(left, bottom), transformPoint(right, bottom), transformPoint(left, top)];
  const [w, h] = [right - left, top - bottom];
  return [
    ...[(across[0] - corner[0]) / w, (across[1] - corner[1]) / w],
    ...[(up[0] - corner[0]) / h, (up[1] - corner[1]) / h],
    ...corner,
  ];
}

/**
 * Positions the lines of a value, in points from the lower left corner of the field. Lines that are too wide are
 * condensed, and those below the field are omitted.
 * @param {FieldValue} value
 * @param {TextTarget} target
 */
function layOutLines({ box, lines, size, alignment, isMultiline }, target) {
  const [width, height] = [box.right - box.left - 2 * PADDING, box.top - box.bottom];
  const measure = (/** @type {string} */ text) => measureText(text, size, target);
  // The first line is always shown, even if the field is lower than its letters.
  const first = isMultiline ? Math.max(PADDING, height - PADDING - size) : height / 2 - BASELINE_OFFSET * size;
  const maxRows = Math.floor(first / (size * LINE_SPACING)) + 1;
  const visibleLines = isMultiline ? wrapLines(lines, width, maxRows, measure) : lines;
  return visibleLines.map((text, row) => {
    const length = measure(text);
    const condensing = Math.min(1, width / Math.max(1, length));
    const remaining = width - length * condensing;
    const x = PADDING + (alignment === RIGHT ? remaining : alignment === CENTRED ? remaining / 2 : 0);
    return { text, x, y: first - row * size * LINE_SPACING, condensing };
  });
}

/**
 * Wraps lines that are too wide.
 * @param {readonly string[]} lines
 * @param {number} width
 * @param {number} maxRows maximum number of rows
 * @param {(text: string) => number} measure
 */
function wrapLines(lines, width, maxRows, measure) {
  const rows = [];
  for (const line of lines) {
    if (rows.length >= maxRows) break;
    rows.push('');
    for (const word of line.split(' ')) {
      const longer = rows.at(-1) === '' ? word : `${rows.at(-1)} ${word}`;
      if (rows.at(-1) === '' || measure(longer) <= width) rows[rows.length - 1] = longer;
      else if (rows.length < maxRows) rows.push(word);
      else break;
    }
  }
  return rows;
}

/** The document and font used to create text objects. @typedef {{ document: number, font: number }} TextTarget */

function createTextObject(
  /** @type {string} */ text,
  /** @type {number} */ size,
  /** @type {TextTarget} */ { document, font },
) {
  const object = pdfium._FPDFPageObj_CreateTextObj(document, font, size);
  const characters = Buffer.from(`${text}\0`, 'utf16le');
  withMemory(characters.length, (pointer) => {
    pdfium.HEAPU8.set(characters, pointer);
    pdfium._FPDFText_SetText(object, pointer);
  });
  return object;
}

function measureText(/** @type {string} */ text, /** @type {number} */ size, /** @type {TextTarget} */ target) {
  const object = createTextObject(text, size, target);
  const width = withMemory(16, (pointer) => {
    const bounds = [0, 4, 8, 12].map((offset) => pointer + offset);
    if (pdfium._FPDFPageObj_GetBounds(object, ...bounds) === 0) return 0;
    return viewMemory(pointer, 16).getFloat32(8, true);
  });
  pdfium._FPDFPageObj_Destroy(object);
  return width;
}
