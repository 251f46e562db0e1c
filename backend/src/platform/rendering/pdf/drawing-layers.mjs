/** Text of layers (optional content, PDF 32000-1, 8.11) that are switched off. PDFium doesn't draw it, but reads it. */
import { inRoom, inText, module, viewOf } from '../drawing-module.mjs';

/** Kinds of page objects (`FPDF_PAGEOBJ_…`). */
const TEXT = 1;
const FORM = 5;
/** Places in layers that are tried on a page; text of all others counts as hidden. */
const MAX_TRIED = 500;
/** Texts of one place that are tried: the first may be nothing but spaces. */
const TEXTS_TRIED = 3;
/** A page as it is drawn to see whether something is painted on it, in pixels. */
const SIDE = 600;
const GREY = 1;
const WHITE = 0xffffffff;
/** Name of the marked content that belongs to a layer, and our mark in the dictionary of a layer by which it is told again. */
const LAYER = 'OC';
const MARK = 'ZonaryLayer';
const NAME_BYTES = 64;

/**
 * A text object, and all that decides whether it is drawn: the forms around it, which may belong to layers, too.
 * @typedef {{ object: number, around: number[] }} Text
 */

/**
 * The text objects of a page that belong to layers that are switched off. PDFium doesn't say which layers are, so one text
 * of each place is drawn alone. The page is good for nothing but its text afterwards.
 * @param {number} page
 * @param {LayerMarks} marks those of its document
 * @returns {Set<number>}
 */
export function hiddenTexts(page, marks) {
  /** @type {number[]} */
  const all = [];
  /** Texts by the layers and forms they are in. @type {Map<string, Text[]>} */
  const places = new Map();

  // As deep as PDFium itself reads forms in forms.
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
 * Numbers the layers of an open document. The numbers are in the dictionaries of the layers, which all pages share, so there is
 * one of these for each document.
 */
export class LayerMarks {
  #last = 0;

  constructor(/** @type {number} */ document) {
    this.document = document;
  }

  /** The layers that an object itself is in; empty when it is in none. */
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

/** Whether anything is painted of the first of these texts; all other objects of the page are out of use. */
function isDrawn(/** @type {number} */ page, /** @type {Text[]} */ texts) {
  return texts.slice(0, TEXTS_TRIED).some(({ object, around }) => {
    const tried = [...around, object];
    for (const each of tried) module._FPDFPageObj_SetIsActive(each, 1);
    // Text over a scan is there to be found, but not painted.
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
