/** Form fields, as stored in the annotations of a page. */
import { inRoom, inText, module, textOf, viewOf } from '../drawing-module.mjs';

/** `FPDF_ANNOT_WIDGET`: a form field. */
const WIDGET = 20;
/** `FPDF_FORMFIELD_TEXTFIELD`, and the flag of password fields (PDF 32000-1, table 228). */
const TEXT_FIELD = 6;
const PASSWORD = 1 << 13;
/** Flags of annotations that aren't shown on screen: Hidden, NoView (table 165). */
const UNSEEN = 2 | 32;
/** Maximum bytes of a value. */
const MAX_VALUE = 1024 * 1024;
/** Maximum characters of a word. */
const LONGEST_WORD = 200;
/**
 * The default font size in points, the line height relative to it, and the average letter width relative to the line
 * height.
 */
const USUAL_SIZE = 12;
const LINE = 1.2;
const LETTER = 0.42;

export function hasFields(/** @type {number} */ page) {
  const count = module._FPDFPage_GetAnnotCount(page);
  return Array.from({ length: count }, (_, at) => at).some((at) =>
    withAnnotation(page, at, (annotation) => annotation !== 0 && module._FPDFAnnot_GetSubtype(annotation) === WIDGET),
  );
}

/**
 * A text field without an appearance stream. PDFium generates one, but letters of some languages are missing in it.
 * @typedef {object} BareField
 * @property {import('./drawing-text.mjs').Box} box
 * @property {string} value
 * @property {number} size font size in points; 0 for automatic size
 */

/** Returns the indexes of annotations without an appearance stream. */
export function bareOnes(/** @type {number} */ page) {
  const count = module._FPDFPage_GetAnnotCount(page);
  return Array.from({ length: count }, (_, at) => at).filter((at) =>
    withAnnotation(page, at, (annotation) =>
      inText('AP', (key) => annotation !== 0 && module._FPDFAnnot_HasKey(annotation, key) === 0),
    ),
  );
}

/**
 * @returns {BareField | null} null for anything but a text field, and for fields that are hidden or contain a password
 */
export function fieldAt(/** @type {number} */ page, /** @type {number} */ forms, /** @type {number} */ at) {
  return withAnnotation(page, at, (annotation) => {
    const isText = module._FPDFAnnot_GetFormFieldType(forms, annotation) === TEXT_FIELD;
    const isUnseen = (module._FPDFAnnot_GetFlags(annotation) & UNSEEN) !== 0;
    const isSecret = (module._FPDFAnnot_GetFormFieldFlags(forms, annotation) & PASSWORD) !== 0;
    if (!isText || isUnseen || isSecret) return null;
    const write = (pointer, size) => module._FPDFAnnot_GetFormFieldValue(forms, annotation, pointer, size);
    const value = textOf(write, 'utf16le', MAX_VALUE).toWellFormed();
    return inRoom(20, (pointer) => {
      if (module._FPDFAnnot_GetRect(annotation, pointer) === 0) return null;
      const isSized = module._FPDFAnnot_GetFontSize(forms, annotation, pointer + 16) !== 0;
      const view = viewOf(pointer, 20);
      const [left, top, right, bottom, size] = [0, 4, 8, 12, 16].map((offset) => view.getFloat32(offset, true));
      return { box: { left, top, right, bottom }, value, size: isSized ? size : 0 };
    });
  });
}

/**
 * @template T
 * @param {number} page
 * @param {number} at
 * @param {(annotation: number) => T} work
 */
export function withAnnotation(page, at, work) {
  const annotation = module._FPDFPage_GetAnnot(page, at);
  const done = work(annotation);
  if (annotation !== 0) module._FPDFPage_CloseAnnot(annotation);
  return done;
}

/**
 * Returns the words of a field with their estimated positions, as it has no appearance stream.
 * @returns {{ text: string, box: import('./drawing-text.mjs').Box }[]}
 */
export function wordsOfField(/** @type {BareField} */ { box, value, size }) {
  const lines = value.split(/\r\n|\r|\n/u);
  const height = Math.min((box.top - box.bottom) / lines.length, LINE * (size > 0 ? size : USUAL_SIZE));
  const upper = (box.top + box.bottom) / 2 + (height * lines.length) / 2;
  return lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/gu)].map(({ 0: word, index }) => {
      const text = word
        .replace(/[\p{Cc}\u00ad\ufffd]/gu, '')
        .slice(0, LONGEST_WORD)
        .toWellFormed();
      const left = Math.min(box.right, box.left + LETTER * height * index);
      const right = Math.min(box.right, left + LETTER * height * text.length);
      return { text, box: { left, right, top: upper - row * height, bottom: upper - (row + 1) * height } };
    }),
  );
}
