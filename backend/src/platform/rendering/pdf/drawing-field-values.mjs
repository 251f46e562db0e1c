/**
 * Draws values of text fields with letters that PDFium omits: it writes Latin letters only in the Central European code
 * page, which lacks Turkish, Baltic and Vietnamese ones. Such values are removed from their fields and drawn over the
 * page.
 */
import { plainFont } from '../fonts/machine-fonts.mjs';
import { inRoom, inText, module, viewOf } from '../drawing-module.mjs';
import { fieldAt, withAnnotation } from './drawing-fields.mjs';

const LEFT_OUT = /[\u0100-\u024f\u1e00-\u1eff]/u;
/** `FPDF_FONT_TRUETYPE` */
const TRUETYPE = 2;
/** `FPDF_ANNOT_APPEARANCEMODE_NORMAL` */
const NORMAL = 0;
/** Flag of a multi-line text field (PDF 32000-1, table 228). */
const MULTILINE = 1 << 12;
/** `/Q`: alignment of the lines (table 230). */
const CENTRED = 1;
const RIGHT = 2;
/** In points: the horizontal padding, and the maximum font size of fields with automatic size. */
const MARGIN = 2;
const USUAL_SIZE = 12;
/**
 * Relative to the font size: the height a line needs, the line spacing, and the distance from the middle of a line to
 * its baseline.
 */
const ROOM = 1.4;
const LINE = 1.15;
const FOOT = 0.35;

/**
 * @typedef {object} FieldValue
 * @property {import('./drawing-text.mjs').Box} box in points of the page
 * @property {string[]} lines
 * @property {number} size font size in points
 * @property {number} start 0 left, 1 centred, 2 right
 * @property {boolean} isMultiline
 * @property {[red: number, green: number, blue: number]} colour
 */

/**
 * The bitmap to draw on.
 * @typedef {object} Picture
 * @property {number} bitmap
 * @property {number} width in pixels
 * @property {number} height in pixels
 * @property {number} flags
 */

/**
 * Removes values from the fields of a page, together with the appearance that PDFium has generated.
 * @param {number} page
 * @param {number} forms
 * @param {readonly number[]} bare the fields without an appearance of their own
 * @returns {FieldValue[]}
 */
export function takeFieldValues(page, forms, bare) {
  if (plainFont() === null) return [];
  return bare.flatMap((at) => {
    const field = fieldAt(page, forms, at);
    if (!field || !LEFT_OUT.test(field.value)) return [];
    return withAnnotation(page, at, (annotation) => {
      const value = valueOf(forms, annotation, field);
      inRoom(2, (empty) => {
        viewOf(empty, 2).setUint16(0, 0, true);
        inText('V', (key) => module._FPDFAnnot_SetStringValue(annotation, key, empty));
      });
      module._FPDFAnnot_SetAP(annotation, NORMAL, 0);
      return [value];
    });
  });
}

/** @returns {FieldValue} */
function valueOf(
  /** @type {number} */ forms,
  /** @type {number} */ annotation,
  /** @type {import('./drawing-fields.mjs').BareField} */ { box, value, size },
) {
  const isMultiline = (module._FPDFAnnot_GetFormFieldFlags(forms, annotation) & MULTILINE) !== 0;
  const lines = isMultiline ? value.split(/\r\n|\r|\n/u) : [value.replace(/[\r\n]+/gu, ' ')];
  const fitting = Math.min(USUAL_SIZE, (box.top - box.bottom) / ROOM);
  return {
    ...{ box, lines, isMultiline, size: size > 0 ? size : fitting },
    start: numberOf(annotation, 'Q'),
    colour: colourOf(forms, annotation),
  };
}

function numberOf(/** @type {number} */ annotation, /** @type {string} */ key) {
  return inRoom(4, (pointer) => {
    const isThere = inText(key, (name) => module._FPDFAnnot_GetNumberValue(annotation, name, pointer) !== 0);
    return isThere ? viewOf(pointer, 4).getFloat32(0, true) : 0;
  });
}

/** @returns {[red: number, green: number, blue: number]} */
function colourOf(/** @type {number} */ forms, /** @type {number} */ annotation) {
  return inRoom(12, (pointer) => {
    if (module._FPDFAnnot_GetFontColor(forms, annotation, pointer, pointer + 4, pointer + 8) === 0) return [0, 0, 0];
    const view = viewOf(pointer, 12);
    return [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)];
  });
}

/** Draws values over a page on which everything else is already drawn. */
export function drawFieldValues(
  /** @type {readonly FieldValue[]} */ values,
  /** @type {number} */ page,
  /** @type {Picture} */ { bitmap, width, height, flags },
) {
  const file = plainFont();
  const document = module._FPDF_CreateNewDocument();
  inRoom(file.length, (pointer) => {
    module.HEAPU8.set(file, pointer);
    const font = module._FPDFText_LoadFont(document, pointer, file.length, TRUETYPE, 1);
    const sheet = module._FPDFPage_New(document, 0, width, height);
    for (const value of values) {
      const matrix = matrixOf(value.box, page, width, height);
      for (const { text, x, y, narrowing } of placedLines(value, { document, font })) {
        const object = textObject(text, value.size, { document, font });
        module._FPDFPageObj_SetFillColor(object, ...value.colour, 255);
        const [a, b, c, d, e, f] = matrix;
        module._FPDFPageObj_Transform(object, a * narrowing, b * narrowing, c, d, e + a * x + c * y, f + b * x + d * y);
        module._FPDFPage_InsertObject(sheet, object);
      }
    }
    module._FPDF_RenderPageBitmap(bitmap, sheet, 0, 0, width, height, 0, flags);
    module._FPDF_ClosePage(sheet);
    module._FPDFFont_Close(font);
  });
  module._FPDF_CloseDocument(document);
}

/** Returns the matrix from points in a field to pixels of the picture, both from the lower left corner. */
function matrixOf(
  /** @type {import('./drawing-text.mjs').Box} */ { left, top, right, bottom },
  /** @type {number} */ page,
  /** @type {number} */ width,
  /** @type {number} */ height,
) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    inRoom(8, (pointer) => {
      module._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, pointer, pointer + 4);
      const view = viewOf(pointer, 8);
      return [view.getInt32(0, true), height - view.getInt32(4, true)];
    });
  const [corner, across, up] = [at(left, bottom), at(right, bottom), at(left, top)];
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
 * @param {Writing} writing
 */
function placedLines({ box, lines, size, start, isMultiline }, writing) {
  const [width, height] = [box.right - box.left - 2 * MARGIN, box.top - box.bottom];
  const measure = (/** @type {string} */ text) => widthOf(text, size, writing);
  // The first line is always shown, even if the field is lower than its letters.
  const first = isMultiline ? Math.max(MARGIN, height - MARGIN - size) : height / 2 - FOOT * size;
  const most = Math.floor(first / (size * LINE)) + 1;
  const shown = isMultiline ? wrapped(lines, width, most, measure) : lines;
  return shown.map((text, row) => {
    const length = measure(text);
    const narrowing = Math.min(1, width / Math.max(1, length));
    const free = width - length * narrowing;
    const x = MARGIN + (start === RIGHT ? free : start === CENTRED ? free / 2 : 0);
    return { text, x, y: first - row * size * LINE, narrowing };
  });
}

/**
 * Wraps lines that are too wide.
 * @param {readonly string[]} lines
 * @param {number} width
 * @param {number} most maximum number of rows
 * @param {(text: string) => number} measure
 */
function wrapped(lines, width, most, measure) {
  const rows = [];
  for (const line of lines) {
    if (rows.length >= most) break;
    rows.push('');
    for (const word of line.split(' ')) {
      const longer = rows.at(-1) === '' ? word : `${rows.at(-1)} ${word}`;
      if (rows.at(-1) === '' || measure(longer) <= width) rows[rows.length - 1] = longer;
      else if (rows.length < most) rows.push(word);
      else break;
    }
  }
  return rows;
}

/** The document and font used to create text objects. @typedef {{ document: number, font: number }} Writing */

function textObject(/** @type {string} */ text, /** @type {number} */ size, /** @type {Writing} */ { document, font }) {
  const object = module._FPDFPageObj_CreateTextObj(document, font, size);
  const letters = Buffer.from(`${text}\0`, 'utf16le');
  inRoom(letters.length, (pointer) => {
    module.HEAPU8.set(letters, pointer);
    module._FPDFText_SetText(object, pointer);
  });
  return object;
}

function widthOf(/** @type {string} */ text, /** @type {number} */ size, /** @type {Writing} */ writing) {
  const object = textObject(text, size, writing);
  const width = inRoom(16, (pointer) => {
    const places = [0, 4, 8, 12].map((offset) => pointer + offset);
    if (module._FPDFPageObj_GetBounds(object, ...places) === 0) return 0;
    return viewOf(pointer, 16).getFloat32(8, true);
  });
  module._FPDFPageObj_Destroy(object);
  return width;
}
