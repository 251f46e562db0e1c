/** Extracts the text of filled forms: field contents are rendered by annotations, whose text PDFium doesn't read. */
import { withMemory, pdfium, viewMemory } from '../pdfium-module.mjs';
import { detachFieldValues } from './field-values.mjs';
import { annotationsWithoutAppearance, readTextField } from './form-fields.mjs';
import { hideInvisibleAnnotations } from './invisible-annotations.mjs';
import { PdfDocument } from './pdf-document.mjs';

/** `FLAT_NORMALDISPLAY`: as on screen, not as printed. */
const FLATTEN_AS_ON_SCREEN = 0;

/**
 * Runs `work` with a page whose fields are flattened into its content. Flattening changes the page permanently, so it
 * needs a separately opened document.
 * @template T
 * @param {number} document a second handle of the document; it is closed afterwards
 * @param {number} index index of the page, from 0
 * @param {import('./layer-states.mjs').LayerStates | null} layers null if the document has none
 * @param {(page: number, fields: readonly import('./form-fields.mjs').FieldWithoutAppearance[]) => T} work
 */
export function withFlattenedFields(document, index, layers, work) {
  // Its bytes belong to the document that stays open.
  const opened = new PdfDocument(document, 0);
  try {
    const original = pdfium._FPDF_LoadPage(document, index);
    // Otherwise PDFium would flatten hidden annotations, too.
    hideInvisibleAnnotations(original, layers);
    // Before PDFium prepares the forms, because that generates missing appearance streams.
    const withoutAppearance = annotationsWithoutAppearance(original);
    const { forms } = opened;
    const fields =
      forms === null
        ? []
        : opened.withAppearances(original, () => {
            const textFields = withoutAppearance.flatMap((number) => readTextField(original, forms, number) ?? []);
            // PDFium would render only some of their letters.
            detachFieldValues(original, forms, withoutAppearance);
            return textFields;
          });
    flatten(opened, original);
    const page = pdfium._FPDF_LoadPage(document, index);
    const result = work(page, fields);
    pdfium._FPDF_ClosePage(page);
    return result;
  } finally {
    opened.close();
  }
}

function flatten(/** @type {PdfDocument} */ opened, /** @type {number} */ page) {
  fixPageBox(page);
  opened.withAppearances(page, () => pdfium._FPDFPage_Flatten(page, FLATTEN_AS_ON_SCREEN));
  pdfium._FPDF_ClosePage(page);
}

/** A page that inherits its size would otherwise get a different one. */
function fixPageBox(/** @type {number} */ page) {
  withMemory(16, (pointer) => {
    if (pdfium._FPDF_GetPageBoundingBox(page, pointer) === 0) return;
    const view = viewMemory(pointer, 16);
    const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => view.getFloat32(offset, true));
    pdfium._FPDFPage_SetMediaBox(page, left, bottom, right, top);
    pdfium._FPDFPage_SetCropBox(page, left, bottom, right, top);
  });
}
