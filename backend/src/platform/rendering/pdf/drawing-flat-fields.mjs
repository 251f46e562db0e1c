/** Extracts the text of filled forms: field contents are drawn by annotations, whose text PDFium doesn't read. */
import { inRoom, module, viewOf } from '../drawing-module.mjs';
import { takeFieldValues } from './drawing-field-values.mjs';
import { bareOnes, fieldAt } from './drawing-fields.mjs';
import { hideUnseen } from './drawing-unseen.mjs';
import { PdfDocument } from './pdf-document.mjs';

/** `FLAT_NORMALDISPLAY`: as on screen, not as printed. */
const ON_SCREEN = 0;

/**
 * Runs `work` with a page whose fields are flattened into its content. Flattening changes the page permanently, so it
 * needs a separately opened document.
 * @template T
 * @param {number} document a second handle of the document; it is closed afterwards
 * @param {number} at index of the page, from 0
 * @param {import('./layer-states.mjs').LayerStates | null} layers null if the document has none
 * @param {(page: number, bare: readonly import('./drawing-fields.mjs').BareField[]) => T} work
 */
export function withFlatFields(document, at, layers, work) {
  // Its bytes belong to the document that stays open.
  const opened = new PdfDocument(document, 0);
  try {
    const unflattened = module._FPDF_LoadPage(document, at);
    // Otherwise PDFium would flatten hidden annotations, too.
    hideUnseen(unflattened, layers);
    // Before PDFium prepares the forms, because that generates missing appearance streams.
    const bare = bareOnes(unflattened);
    const { forms } = opened;
    const fields =
      forms === null
        ? []
        : opened.withPictures(unflattened, () => {
            const read = bare.flatMap((number) => fieldAt(unflattened, forms, number) ?? []);
            // PDFium would draw only some of their letters.
            takeFieldValues(unflattened, forms, bare);
            return read;
          });
    flatten(opened, unflattened);
    const page = module._FPDF_LoadPage(document, at);
    const done = work(page, fields);
    module._FPDF_ClosePage(page);
    return done;
  } finally {
    opened.close();
  }
}

function flatten(/** @type {PdfDocument} */ opened, /** @type {number} */ page) {
  keepBox(page);
  opened.withPictures(page, () => module._FPDFPage_Flatten(page, ON_SCREEN));
  module._FPDF_ClosePage(page);
}

/** A page that inherits its size would otherwise get a different one. */
function keepBox(/** @type {number} */ page) {
  inRoom(16, (pointer) => {
    if (module._FPDF_GetPageBoundingBox(page, pointer) === 0) return;
    const view = viewOf(pointer, 16);
    const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => view.getFloat32(offset, true));
    module._FPDFPage_SetMediaBox(page, left, bottom, right, top);
    module._FPDFPage_SetCropBox(page, left, bottom, right, top);
  });
}
