/** Line and polygon annotations without an appearance stream, which PDFium doesn't render. */
import { withCString, pdfium } from '../pdfium-module.mjs';

/** `FPDF_ANNOT_LINE`, `FPDF_ANNOT_POLYGON`, `FPDF_ANNOT_POLYLINE` */
const SUBTYPES = [4, 7, 8];

/** Generates their appearance streams. */
export function generateMissingAppearances(/** @type {number} */ page) {
  const count = pdfium._FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const hasAppearance = withCString('AP', (key) => pdfium._FPDFAnnot_HasKey(annotation, key) !== 0);
    if (!hasAppearance && SUBTYPES.includes(pdfium._FPDFAnnot_GetSubtype(annotation)))
      pdfium._EPDFAnnot_GenerateAppearance(annotation);
    pdfium._FPDFPage_CloseAnnot(annotation);
  }
}
