/**
 * Text in layers (optional content, PDF 32000-1, 8.11) that are switched off. PDFium doesn't render it, but
 * extracts it.
 */
import { withMemory, withCString, pdfium, viewMemory } from '../pdfium-module.mjs';

/** Types of page objects (`FPDF_PAGEOBJ_…`). */
const TEXT = 1;
const FORM = 5;
/** Maximum combinations of layers tested per page; text in further ones counts as hidden. */
const MAX_COMBINATIONS = 500;
/** Texts tested per combination, because the first may be only spaces. */
const TEXTS_PER_COMBINATION = 3;
/** Dimensions in pixels of the test rendering that shows whether anything is painted. */
const SIDE = 600;
const GREY = 1;
const WHITE = 0xffffffff;
/** Tag of the marked content of a layer, and the key we add to the layer's dictionary to recognise it. */
const LAYER_TAG = 'OC';
const NUMBER_KEY = 'ZonaryLayer';
const NAME_BYTES = 64;

/**
 * A text object, and the form objects around it, which may be in layers too and so affect whether it is rendered.
 * @typedef {{ object: number, ancestors: number[] }} Text
 */

/**
 * Returns the text objects of a page that are in layers which are switched off. PDFium doesn't report the state of
 * layers, so one text of each combination is rendered alone. Afterwards the page can only be used for text extraction.
 * @param {number} page
 * @param {LayerNumbers} layerNumbers those of its document
 * @returns {Set<number>}
 */
export function findHiddenTexts(page, layerNumbers) {
  /** @type {number[]} */
  const allObjects = [];
  /** Texts by the layers and form objects that contain them. @type {Map<string, Text[]>} */
  const textsByCombination = new Map();

  // To the depth to which PDFium itself reads nested forms.
  const collect = (
    /** @type {number[]} */ objects,
    /** @type {number[]} */ ancestors,
    /** @type {string} */ combination,
  ) => {
    for (const object of objects) {
      allObjects.push(object);
      const kind = pdfium._FPDFPageObj_GetType(object);
      const ownCombination = combination + layerNumbers.layersOf(object);
      if (kind === TEXT && ownCombination !== '') {
        if (!textsByCombination.has(ownCombination)) textsByCombination.set(ownCombination, []);
        textsByCombination.get(ownCombination).push({ object, ancestors });
      }
      if (kind === FORM) {
        const count = pdfium._FPDFFormObj_CountObjects(object);
        const inner = Array.from({ length: count }, (_, index) => pdfium._FPDFFormObj_GetObject(object, index));
        collect(inner, [...ancestors, object], `${ownCombination} form ${object}`);
      }
    }
  };
  const count = pdfium._FPDFPage_CountObjects(page);
  collect(
    Array.from({ length: count }, (_, index) => pdfium._FPDFPage_GetObject(page, index)),
    [],
    '',
  );
  if (textsByCombination.size === 0) return new Set();
  for (const object of allObjects) pdfium._FPDFPageObj_SetIsActive(object, 0);
  const hidden = [...textsByCombination.values()].filter(
    (texts, index) => index >= MAX_COMBINATIONS || !isRendered(page, texts),
  );
  return new Set(hidden.flat().map(({ object }) => object));
}

/**
 * Numbers the layers of an open document. The numbers are stored in the dictionaries of the layers, which all pages
 * share, so there is one instance per document.
 */
export class LayerNumbers {
  #last = 0;

  constructor(/** @type {number} */ document) {
    this.document = document;
  }

  /** Returns the layers of an object itself; empty when there is none. */
  layersOf(/** @type {number} */ object) {
    const count = pdfium._FPDFPageObj_CountMarks(object);
    let layers = '';
    for (let index = 0; index < count; index++) {
      const mark = pdfium._FPDFPageObj_GetMark(object, index);
      if (readMarkName(mark) === LAYER_TAG) layers += ` layer ${this.#numberOf(object, mark)}`;
    }
    return layers;
  }

  /** All marks of a layer share its dictionary. */
  #numberOf(/** @type {number} */ object, /** @type {number} */ mark) {
    return withCString(NUMBER_KEY, (key) =>
      withMemory(4, (pointer) => {
        if (pdfium._FPDFPageObjMark_GetParamIntValue(mark, key, pointer) !== 0)
          return viewMemory(pointer, 4).getInt32(0, true);
        pdfium._FPDFPageObjMark_SetIntParam(this.document, object, mark, key, ++this.#last);
        return this.#last;
      }),
    );
  }
}

function readMarkName(/** @type {number} */ mark) {
  return withMemory(NAME_BYTES + 4, (pointer) => {
    if (pdfium._FPDFPageObjMark_GetName(mark, pointer + 4, NAME_BYTES, pointer) === 0) return '';
    const size = viewMemory(pointer, 4).getUint32(0, true);
    if (size > NAME_BYTES) return '';
    return Buffer.from(pdfium.HEAPU8.subarray(pointer + 4, pointer + 4 + size))
      .toString('utf16le')
      .replace(/\0.*$/su, '');
  });
}

/** Whether anything is painted for the first of these texts, with all other objects of the page disabled. */
function isRendered(/** @type {number} */ page, /** @type {Text[]} */ texts) {
  return texts.slice(0, TEXTS_PER_COMBINATION).some(({ object, ancestors }) => {
    const enabled = [...ancestors, object];
    for (const each of enabled) pdfium._FPDFPageObj_SetIsActive(each, 1);
    // The invisible text over a scan exists for searching.
    pdfium._FPDFTextObj_SetTextRenderMode(object, 0);
    pdfium._FPDFPageObj_SetFillColor(object, 0, 0, 0, 255);
    const isPainted = paintsAnything(page);
    for (const each of enabled) pdfium._FPDFPageObj_SetIsActive(each, 0);
    return isPainted;
  });
}

function paintsAnything(/** @type {number} */ page) {
  return withMemory(SIDE * SIDE, (pointer) => {
    const bitmap = pdfium._FPDFBitmap_CreateEx(SIDE, SIDE, GREY, pointer, SIDE);
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, SIDE, SIDE, WHITE);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, SIDE, SIDE, 0, 0);
    pdfium._FPDFBitmap_Destroy(bitmap);
    return pdfium.HEAPU8.subarray(pointer, pointer + SIDE * SIDE).some((value) => value !== 0xff);
  });
}
