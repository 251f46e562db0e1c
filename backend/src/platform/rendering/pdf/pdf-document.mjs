/** A document opened by PDFium, with its form environment, which renders pages. */
import { free, inRoom, module } from '../drawing-module.mjs';
import { drawFieldValues, takeFieldValues } from './drawing-field-values.mjs';
import { bareOnes, hasFields } from './drawing-fields.mjs';

/** Render flags: `FPDF_LCD_TEXT` and `FPDF_REVERSE_BYTE_ORDER`; `FPDF_ANNOT`. */
const FLAGS = 0x02 | 0x10;
const ANNOTATIONS = 0x01;
/** `FPDFBitmap_BGRA`, whose byte order is reversed by the flags. */
const FOUR_BYTES = 4;
const WHITE = 0xffffffff;

export class PdfDocument {
  /** The structure with PDFium's form callbacks; 0 until it is needed. */
  #callbacks = 0;
  /** @type {number | null | undefined} */
  #forms;
  /**
   * Values drawn over pages, by page number.
   * @type {Map<number, import('./drawing-field-values.mjs').FieldValue[]>}
   */
  #values = new Map();

  /**
   * @param {number} handle PDFium's handle
   * @param {number} bytes address of its bytes in module memory, freed on close; 0 if they belong to another document
   */
  constructor(handle, bytes) {
    this.handle = handle;
    this.bytes = bytes;
  }

  get pageCount() {
    return module._FPDF_GetPageCount(this.handle);
  }

  /** PDFium's form environment, which generates missing appearance streams of fields; null if it can't be created. */
  get forms() {
    if (this.#forms === undefined) this.#forms = this.#prepareForms();
    return this.#forms;
  }

  #prepareForms() {
    this.#callbacks = module._PDFiumExt_OpenFormFillInfo();
    if (this.#callbacks === 0) return null;
    return module._PDFiumExt_InitFormFillEnvironment(this.handle, this.#callbacks) || null;
  }

  /**
   * Renders a page.
   * @param {number} number from 1
   * @param {number} page the handle of the same page
   * @param {number} width in pixels
   * @param {number} height in pixels
   * @returns {Uint8Array} red, green, blue and alpha of each pixel
   */
  draw(number, page, width, height) {
    const values = this.#valuesOf(number, page);
    const size = width * height * FOUR_BYTES;
    return this.withPictures(page, () =>
      inRoom(size, (pointer) => {
        const bitmap = module._FPDFBitmap_CreateEx(width, height, FOUR_BYTES, pointer, width * FOUR_BYTES);
        module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
        const place = /** @type {const} */ ([0, 0, width, height, 0]);
        module._FPDF_RenderPageBitmap(bitmap, page, ...place, FLAGS | ANNOTATIONS);
        // Fields are drawn over everything else; pop-up notes are omitted.
        if (this.forms !== null) module._FPDF_FFLDraw(this.forms, bitmap, page, ...place, FLAGS);
        if (values.length > 0) drawFieldValues(values, page, { bitmap, width, height, flags: FLAGS });
        module._FPDFBitmap_Destroy(bitmap);
        return module.HEAPU8.slice(pointer, pointer + size);
      }),
    );
  }

  /**
   * Runs `work` with a page whose fields all have appearance streams: PDFium generates missing ones.
   * @template T
   * @param {number} page
   * @param {() => T} work
   * @returns {T}
   */
  withPictures(page, work) {
    const { forms } = this;
    if (forms === null) return work();
    module._FORM_OnAfterLoadPage(page, forms);
    const done = work();
    module._FORM_OnBeforeClosePage(page, forms);
    return done;
  }

  /** Removes the values from the fields when the page is first rendered. */
  #valuesOf(/** @type {number} */ number, /** @type {number} */ page) {
    const values = this.#values.get(number) ?? this.#takeValues(page);
    this.#values.set(number, values);
    return values;
  }

  #takeValues(/** @type {number} */ page) {
    // Before PDFium prepares the forms, after which all fields have an appearance stream.
    const bare = hasFields(page) ? bareOnes(page) : [];
    const { forms } = this;
    if (bare.length === 0 || forms === null) return [];
    return this.withPictures(page, () => takeFieldValues(page, forms, bare));
  }

  close() {
    if (this.#forms) module._PDFiumExt_ExitFormFillEnvironment(this.#forms);
    if (this.#callbacks !== 0) module._PDFiumExt_CloseFormFillInfo(this.#callbacks);
    module._FPDF_CloseDocument(this.handle);
    if (this.bytes !== 0) free(this.bytes);
  }
}
