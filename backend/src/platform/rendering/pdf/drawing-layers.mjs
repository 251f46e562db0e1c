/**
 * Text in layers (optional content, PDF 32000-1, 8.11) that are switched off. PDFium doesn't draw it, but extracts it.
 */
import { inRoom, inText, module, viewOf } from '../drawing-module.mjs';

/** Types of page objects (`FPDF_PAGEOBJ_…`). */
const TEXT = 1;
const FORM = 5;
/** Maximum combinations of layers tested per page; text in further ones counts as hidden. */
const MAX_TRIED = 500;
/** Texts tested per combination, because the first may be only spaces. */
const TEXTS_TRIED = 3;
/** Dimensions in pixels of the test rendering that shows whether anything is painted. */
const SIDE = 600;
const GREY = 1;
const WHITE = 0xffffffff;
/** Tag of the marked content of a layer, and the key we add to the layer's dictionary to recognise it. */
const LAYER = 'OC';
const MARK = 'ZonaryLayer';
const NAME_BYTES = 64;

/**
 * A text object, and the form objects around it, which may be in layers too and so affect whether it is drawn.
 * @typedef {{ object: number, around: number[] }} Text
 */

/**
 * Returns the text objects of a page that are in layers which are switched off. PDFium doesn't report the state of
 * layers, so one text of each combination is rendered alone. Afterwards the page can only be used for text extraction.
 * @param {number} page
 * @param {LayerMarks} marks those of its document
 * @returns {Set<number>}
 */
export function hiddenTexts(page, marks) {
  /** @type {number[]} */
  const all = [];
  /** Texts by the layers and form objects that contain them. @type {Map<string, Text[]>} */
  const places = new Map();

  // To the depth to which PDFium itself reads nested forms.
  const walk = (/** @type {number[]} */ objects, /** @type {number[]} */ around, /** @type {string} */ place) => {
    for (const object of objects) {
      all.push(object);
      const kind = module._FPDFPageObj_GetType(object);
      const inside = place + marks.layersOf(object);
      if (kind === TEXT && inside !== '') {
        if (!places.has(inside)) places.set(inside, []);
        places.get(inside).push({ object, around });
      }
      if (kind === FORM) {
        const count = module._FPDFFormObj_CountObjects(object);
        const inner = Array.from({ length: count }, (_, at) => module._FPDFFormObj_GetObject(object, at));
        walk(inner, [...around, object], `${inside} form ${object}`);
      }
    }
  };
  const count = module._FPDFPage_CountObjects(page);
  walk(
    Array.from({ length: count }, (_, at) => module._FPDFPage_GetObject(page, at)),
    [],
    '',
  );
  if (places.size === 0) return new Set();
  for (const object of all) module._FPDFPageObj_SetIsActive(object, 0);
  const hidden = [...places.values()].filter((texts, at) => at >= MAX_TRIED || !isDrawn(page, texts));
  return new Set(hidden.flat().map(({ object }) => object));
}

/**
 * Numbers the layers of an open document. The numbers are stored in the dictionaries of the layers, which all pages
 * share, so there is one instance per document.
 */
export class LayerMarks {
  #last = 0;

  constructor(/** @type {number} */ document) {
    this.document = document;
  }

  /** Returns the layers of an object itself; empty when there is none. */
  layersOf(/** @type {number} */ object) {
    const count = module._FPDFPageObj_CountMarks(object);
    let layers = '';
    for (let at = 0; at < count; at++) {
      const mark = module._FPDFPageObj_GetMark(object, at);
      if (nameOf(mark) === LAYER) layers += ` layer ${this.#numberOf(object, mark)}`;
    }
    return layers;
  }

  /** All marks of a layer share its dictionary. */
  #numberOf(/** @type {number} */ object, /** @type {number} */ mark) {
    return inText(MARK, (key) =>
      inRoom(4, (pointer) => {
        if (module._FPDFPageObjMark_GetParamIntValue(mark, key, pointer) !== 0)
          return viewOf(pointer, 4).getInt32(0, true);
        module._FPDFPageObjMark_SetIntParam(this.document, object, mark, key, ++this.#last);
        return this.#last;
      }),
    );
  }
}

function nameOf(/** @type {number} */ mark) {
  return inRoom(NAME_BYTES + 4, (pointer) => {
    if (module._FPDFPageObjMark_GetName(mark, pointer + 4, NAME_BYTES, pointer) === 0) return '';
    const size = viewOf(pointer, 4).getUint32(0, true);
    if (size > NAME_BYTES) return '';
    return Buffer.from(module.HEAPU8.subarray(pointer + 4, pointer + 4 + size))
      .toString('utf16le')
      .replace(/\0.*$/su, '');
  });
}

/** Whether anything is painted for the first of these texts, with all other objects of the page disabled. */
function isDrawn(/** @type {number} */ page, /** @type {Text[]} */ texts) {
  return texts.slice(0, TEXTS_TRIED).some(({ object, around }) => {
    const tried = [...around, object];
    for (const each of tried) module._FPDFPageObj_SetIsActive(each, 1);
    // The invisible text over a scan exists for searching.
    module._FPDFTextObj_SetTextRenderMode(object, 0);
    module._FPDFPageObj_SetFillColor(object, 0, 0, 0, 255);
    const isPainted = paintsAnything(page);
    for (const each of tried) module._FPDFPageObj_SetIsActive(each, 0);
    return isPainted;
  });
}

function paintsAnything(/** @type {number} */ page) {
  return inRoom(SIDE * SIDE, (pointer) => {
    const bitmap = module._FPDFBitmap_CreateEx(SIDE, SIDE, GREY, pointer, SIDE);
    module._FPDFBitmap_FillRect(bitmap, 0, 0, SIDE, SIDE, WHITE);
    module._FPDF_RenderPageBitmap(bitmap, page, 0, 0, SIDE, SIDE, 0, 0);
    module._FPDFBitmap_Destroy(bitmap);
    return module.HEAPU8.subarray(pointer, pointer + SIDE * SIDE).some((value) => value !== 0xff);
  });
}
