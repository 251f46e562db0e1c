/** A document opened by PDFium, with its form environment, which renders pages. */
import { free, withMemory, pdfium } from '../pdfium-module.mjs';
import { renderFieldValues, detachFieldValues } from './field-values.mjs';
import { annotationsWithoutAppearance, hasFields } from './form-fields.mjs';

/** Render flags: `FPDF_LCD_TEXT` and `FPDF_REVERSE_BYTE_ORDER`; `FPDF_ANNOT`. */
const RENDER_FLAGS = 0x02 | 0x10;
const ANNOTATIONS = 0x01;
/** `FPDFBitmap_BGRA`, whose byte order is reversed by the flags. */
const BGRA = 4;
const BYTES_PER_PIXEL = 4;
const WHITE = 0xffffffff;

export class PdfDocument {
  /** The structure with PDFium's form callbacks; 0 until it is needed. */
  #callbacks = 0;
  /** @type {number | null | undefined} */
  #forms;
  /**
   * Values rendered over pages, by page number.
   * @type {Map<number, import('./field-values.mjs').FieldValue[]>}
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
    return pdfium._FPDF_GetPageCount(this.handle);
  }

  /** PDFium's form environment, which generates missing appearance streams of fields; null if it can't be created. */
  get forms() {
    if (this.#forms === undefined) this.#forms = this.#prepareForms();
    return this.#forms;
  }

  #prepareForms() {
    this.#callbacks = pdfium._PDFiumExt_OpenFormFillInfo();
    if (this.#callbacks === 0) return null;
    return pdfium._PDFiumExt_InitFormFillEnvironment(this.handle, this.#callbacks) || null;
  }

  /**
   * Renders a page.
   * @param {number} number from 1
   * @param {number} page the handle of the same page
   * @param {number} width in pixels
   * @param {number} height in pixels
   * @returns {Uint8Array} red, green, blue and alpha of each pixel
   */
  render(number, page, width, height) {
    const values = this.#detachedValuesOf(number, page);
    const size = width * height * BYTES_PER_PIXEL;
    return this.withAppearances(page, () =>
      withMemory(size, (pointer) => {
        const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, BGRA, pointer, width * BYTES_PER_PIXEL);
        pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
        const area = /** @type {const} */ ([0, 0, width, height, 0]);
        pdfium._FPDF_RenderPageBitmap(bitmap, page, ...area, RENDER_FLAGS | ANNOTATIONS);
        // Fields are rendered over everything else; pop-up notes are omitted.
        if (this.forms !== null) pdfium._FPDF_FFLDraw(this.forms, bitmap, page, ...area, RENDER_FLAGS);
        if (values.length > 0) renderFieldValues(values, page, { bitmap, width, height, flags: RENDER_FLAGS });
        pdfium._FPDFBitmap_Destroy(bitmap);
        return pdfium.HEAPU8.slice(pointer, pointer + size);
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
  withAppearances(page, work) {
    const { forms } = this;
    if (forms === null) return work();
    pdfium._FORM_OnAfterLoadPage(page, forms);
    const result = work();
    pdfium._FORM_OnBeforeClosePage(page, forms);
    return result;
  }

  /** Removes the values from the fields when the page is first rendered. */
  #detachedValuesOf(/** @type {number} */ number, /** @type {number} */ page) {
    const values = this.#values.get(number) ?? this.#detachValues(page);
    this.#values.set(number, values);
    return values;
  }

  #detachValues(/** @type {number} */ page) {
    // Before PDFium prepares the forms, after which all fields have an appearance stream.
    const withoutAppearance = hasFields(page) ? annotationsWithoutAppearance(page) : [];
    const { forms } = this;
    if (withoutAppearance.length === 0 || forms === null) return [];
    return this.withAppearances(page, () => detachFieldValues(page, forms, withoutAppearance));
  }

  close() {
    if (this.#forms) pdfium._PDFiumExt_ExitFormFillEnvironment(this.#forms);
    if (this.#callbacks !== 0) pdfium._PDFiumExt_CloseFormFillInfo(this.#callbacks);
    pdfium._FPDF_CloseDocument(this.handle);
    if (this.bytes !== 0) free(this.bytes);
  }
}
