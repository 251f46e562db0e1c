/** Form fields, as stored in the annotations of a page. */
import { withMemory, withCString, pdfium, readString, viewMemory } from '../pdfium-module.mjs';

/** `FPDF_ANNOT_WIDGET`: a form field. */
const WIDGET = 20;
/** `FPDF_FORMFIELD_TEXTFIELD`, and the flag of password fields (PDF 32000-1, table 228). */
const TEXT_FIELD = 6;
const PASSWORD = 1 << 13;
/** Flags of annotations that aren't shown on screen: Hidden, NoView (table 165). */
const INVISIBLE = 2 | 32;
/** Maximum bytes of a value. */
const MAX_VALUE_BYTES = 1024 * 1024;
/** Maximum characters of a word. */
const MAX_WORD_LENGTH = 200;
/**
 * The default font size in points, the line height relative to it, and the average letter width relative to the line
 * height.
 */
const DEFAULT_SIZE = 12;
const LINE_HEIGHT = 1.2;
const LETTER_WIDTH = 0.42;

export function hasFields(/** @type {number} */ page) {
  const count = pdfium._FPDFPage_GetAnnotCount(page);
  return Array.from({ length: count }, (_, index) => index).some((index) =>
    withAnnotation(
      page,
      index,
      (annotation) => annotation !== 0 && pdfium._FPDFAnnot_GetSubtype(annotation) === WIDGET,
    ),
  );
}

/**
 * A text field without an appearance stream. PDFium generates one, but letters of some languages are missing in it.
 * @typedef {object} FieldWithoutAppearance
 * @property {import('./page-text.mjs').Box} box
 * @property {string} value
 * @property {number} size font size in points; 0 for automatic size
 */

/** Returns the indexes of annotations without an appearance stream. */
export function annotationsWithoutAppearance(/** @type {number} */ page) {
  const count = pdfium._FPDFPage_GetAnnotCount(page);
  return Array.from({ length: count }, (_, index) => index).filter((index) =>
    withAnnotation(page, index, (annotation) =>
      withCString('AP', (key) => annotation !== 0 && pdfium._FPDFAnnot_HasKey(annotation, key) === 0),
    ),
  );
}

/**
 * @returns {FieldWithoutAppearance | null} null for anything but a text field, and for fields that are hidden or contain
 *   a password
 */
export function readTextField(/** @type {number} */ page, /** @type {number} */ forms, /** @type {number} */ index) {
  return withAnnotation(page, index, (annotation) => {
    const isText = pdfium._FPDFAnnot_GetFormFieldType(forms, annotation) === TEXT_FIELD;
    const isInvisible = (pdfium._FPDFAnnot_GetFlags(annotation) & INVISIBLE) !== 0;
    const isPassword = (pdfium._FPDFAnnot_GetFormFieldFlags(forms, annotation) & PASSWORD) !== 0;
    if (!isText || isInvisible || isPassword) return null;
    const write = (pointer, size) => pdfium._FPDFAnnot_GetFormFieldValue(forms, annotation, pointer, size);
    const value = readString(write, 'utf16le', MAX_VALUE_BYTES).toWellFormed();
    return withMemory(20, (pointer) => {
      if (pdfium._FPDFAnnot_GetRect(annotation, pointer) === 0) return null;
      const hasSize = pdfium._FPDFAnnot_GetFontSize(forms, annotation, pointer + 16) !== 0;
      const view = viewMemory(pointer, 20);
      const [left, top, right, bottom, size] = [0, 4, 8, 12, 16].map((offset) => view.getFloat32(offset, true));
      return { box: { left, top, right, bottom }, value, size: hasSize ? size : 0 };
    });
  });
}

/**
 * @template T
 * @param {number} page
 * @param {number} index
 * @param {(annotation: number) => T} work
 */
export function withAnnotation(page, index, work) {
  const annotation = pdfium._FPDFPage_GetAnnot(page, index);
  const result = work(annotation);
  if (annotation !== 0) pdfium._FPDFPage_CloseAnnot(annotation);
  return result;
}

/**
 * Returns the words of a field with their estimated positions, as it has no appearance stream.
 * @returns {{ text: string, box: import('./page-text.mjs').Box }[]}
 */
export function estimateFieldWords(/** @type {FieldWithoutAppearance} */ { box, value, size }) {
  const lines = value.split(/\r\n|\r|\n/u);
  const height = Math.min((box.top - box.bottom) / lines.length, LINE_HEIGHT * (size > 0 ? size : DEFAULT_SIZE));
  const top = (box.top + box.bottom) / 2 + (height * lines.length) / 2;
  return lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/gu)].map(({ 0: word, index }) => {
      const text = word
        .replace(/[\p{Cc}\u00ad\ufffd]/gu, '')
        .slice(0, MAX_WORD_LENGTH)
        .toWellFormed();
      const left = Math.min(box.right, box.left + LETTER_WIDTH * height * index);
      const right = Math.min(box.right, left + LETTER_WIDTH * height * text.length);
      return { text, box: { left, right, top: top - row * height, bottom: top - (row + 1) * height } };
    }),
  );
}
