/**
 * Hides annotations that aren't shown on screen. PDFium would render those in layers that are off, and extract those
 * that are only printed.
 */
import { withCString, pdfium } from '../pdfium-module.mjs';
import { withAnnotation } from './form-fields.mjs';

/** Flags of annotations (PDF 32000-1, table 165). */
const HIDDEN = 2;
const NO_VIEW = 32;

/**
 * Sets the Hidden flag of annotations that aren't shown; PDFium respects it when rendering and reading.
 * @param {number} page
 * @param {import('./layer-states.mjs').LayerStates | null} layers null if the document has none
 */
export function hideInvisibleAnnotations(page, layers) {
  const count = pdfium._FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index++)
    withAnnotation(page, index, (annotation) => {
      if (annotation === 0) return;
      const flags = pdfium._FPDFAnnot_GetFlags(annotation);
      if ((flags & NO_VIEW) !== 0 || (layers !== null && isInOffLayer(annotation, layers)))
        pdfium._FPDFAnnot_SetFlags(annotation, flags | HIDDEN);
    });
}

function isInOffLayer(
  /** @type {number} */ annotation,
  /** @type {import('./layer-states.mjs').LayerStates} */ layers,
) {
  const hasLayer = withCString('OC', (key) => pdfium._FPDFAnnot_HasKey(annotation, key) !== 0);
  return hasLayer && layers.isAnnotationOff(pdfium._EPDFAnnot_GetObjectNumber(annotation));
}
