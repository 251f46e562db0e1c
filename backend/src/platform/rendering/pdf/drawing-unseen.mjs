/**
 * Hides annotations that aren't shown on screen. PDFium would draw those in layers that are off, and extract those that
 * are only printed.
 */
import { inText, module } from '../drawing-module.mjs';
import { withAnnotation } from './drawing-fields.mjs';

/** Flags of annotations (PDF 32000-1, table 165). */
const HIDDEN = 2;
const NO_VIEW = 32;

/**
 * Sets the Hidden flag of annotations that aren't shown; PDFium respects it when drawing and reading.
 * @param {number} page
 * @param {import('./layer-states.mjs').LayerStates | null} layers null if the document has none
 */
export function hideUnseen(page, layers) {
  const count = module._FPDFPage_GetAnnotCount(page);
  for (let at = 0; at < count; at++)
    withAnnotation(page, at, (annotation) => {
      if (annotation === 0) return;
      const flags = module._FPDFAnnot_GetFlags(annotation);
      if ((flags & NO_VIEW) !== 0 || (layers !== null && isOff(annotation, layers)))
        module._FPDFAnnot_SetFlags(annotation, flags | HIDDEN);
    });
}

function isOff(/** @type {number} */ annotation, /** @type {import('./layer-states.mjs').LayerStates} */ layers) {
  const hasLayer = inText('OC', (key) => module._FPDFAnnot_HasKey(annotation, key) !== 0);
  return hasLayer && layers.isAnnotationOff(module._EPDFAnnot_GetObjectNumber(annotation));
}
