/** Line and polygon annotations without an appearance stream, which PDFium doesn't draw. */
import { inText, module } from '../drawing-module.mjs';

/** `FPDF_ANNOT_LINE`, `FPDF_ANNOT_POLYGON`, `FPDF_ANNOT_POLYLINE` */
const KINDS = [4, 7, 8];

/** Generates their appearance streams. */
export function addMissingPictures(/** @type {number} */ page) {
  const count = module._FPDFPage_GetAnnotCount(page);
  for (let at = 0; at < count; at++) {
    const annotation = module._FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    const isDrawn = inText('AP', (key) => module._FPDFAnnot_HasKey(annotation, key) !== 0);
    if (!isDrawn && KINDS.includes(module._FPDFAnnot_GetSubtype(annotation)))
      module._EPDFAnnot_GenerateAppearance(annotation);
    module._FPDFPage_CloseAnnot(annotation);
  }
}
