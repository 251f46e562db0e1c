/** Lines and polygons that somebody has drawn on a page, where they come without a picture of themselves: PDFium leaves them out. */
import { inRoom, inText, module, viewOf } from '../drawing-module.mjs';

/** Kinds of annotations (`FPDF_ANNOT_…`). */
const LINE = 4;
const POLYGON = 7;
const POLYLINE = 8;
/** Flags of those that are not seen on a screen: hidden, no view (PDF 32000-1, table 165). */
const UNSEEN = 2 | 32;
const STROKE = 0;
const FILL = 1;
/** `FPDF_FILLMODE_…` */
const UNFILLED = 0;
const ALTERNATE = 1;
const MAX_POINTS = 10_000;

/** Adds their strokes to the page as it is loaded. */
export function addBareAnnotations(/** @type {number} */ page) {
  const count = module._FPDFPage_GetAnnotCount(page);
  for (let at = 0; at < count; at++) {
    const annotation = module._FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    const kind = module._FPDFAnnot_GetSubtype(annotation);
    if ([LINE, POLYGON, POLYLINE].includes(kind) && isBare(annotation)) addStrokes(page, annotation, kind);
    module._FPDFPage_CloseAnnot(annotation);
  }
}

function isBare(/** @type {number} */ annotation) {
  return (module._FPDFAnnot_GetFlags(annotation) & UNSEEN) === 0 && !hasKey(annotation, 'AP');
}

const hasKey = (/** @type {number} */ annotation, /** @type {string} */ key) =>
  inText(key, (pointer) => module._FPDFAnnot_HasKey(annotation, pointer) !== 0);

function addStrokes(/** @type {number} */ page, /** @type {number} */ annotation, /** @type {number} */ kind) {
  const [first, ...rest] = kind === LINE ? endsOf(annotation) : verticesOf(annotation);
  if (!first || rest.length === 0) return;
  const path = module._FPDFPageObj_CreateNewPath(...first);
  for (const point of rest) module._FPDFPath_LineTo(path, ...point);
  if (kind === POLYGON) module._FPDFPath_Close(path);
  module._FPDFPageObj_SetStrokeColor(path, ...colourOf(annotation, STROKE));
  module._FPDFPageObj_SetStrokeWidth(path, widthOf(annotation));
  const isFilled = kind === POLYGON && hasKey(annotation, 'IC');
  if (isFilled) module._FPDFPageObj_SetFillColor(path, ...colourOf(annotation, FILL));
  module._FPDFPath_SetDrawMode(path, isFilled ? ALTERNATE : UNFILLED, 1);
  module._FPDFPage_InsertObject(page, path);
}

/** @returns {[x: number, y: number][]} */
function endsOf(/** @type {number} */ annotation) {
  return inRoom(16, (pointer) =>
    module._FPDFAnnot_GetLine(annotation, pointer, pointer + 8) === 0 ? [] : pointsAt(pointer, 2),
  );
}

function verticesOf(/** @type {number} */ annotation) {
  const count = Math.min(module._FPDFAnnot_GetVertices(annotation, 0, 0), MAX_POINTS);
  if (count === 0) return [];
  return inRoom(8 * count, (pointer) => {
    const written = module._FPDFAnnot_GetVertices(annotation, pointer, count);
    return written > count ? [] : pointsAt(pointer, count);
  });
}

/** @returns {[x: number, y: number][]} */
function pointsAt(/** @type {number} */ pointer, /** @type {number} */ count) {
  const view = viewOf(pointer, 8 * count);
  return Array.from({ length: count }, (_, at) => [view.getFloat32(8 * at, true), view.getFloat32(8 * at + 4, true)]);
}

/** Red, green, blue and opacity, from 0 to 255; black where it has none. */
function colourOf(/** @type {number} */ annotation, /** @type {number} */ use) {
  return inRoom(16, (pointer) => {
    const [r, g, b, a] = [0, 4, 8, 12].map((offset) => pointer + offset);
    if (module._FPDFAnnot_GetColor(annotation, use, r, g, b, a) === 0) return [0, 0, 0, 255];
    const view = viewOf(pointer, 16);
    return [0, 4, 8, 12].map((offset) => view.getUint32(offset, true));
  });
}

/** In points; 1 where it has none. */
function widthOf(/** @type {number} */ annotation) {
  return inRoom(12, (pointer) => {
    if (module._FPDFAnnot_GetBorder(annotation, pointer, pointer + 4, pointer + 8) === 0) return 1;
    return viewOf(pointer, 12).getFloat32(8, true);
  });
}
