/** PDFium in the rendering process: the module, memory allocation, and errors. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from '@embedpdf/pdfium';
import { useSystemFonts } from './fonts/system-fonts.mjs';

const wasmFile = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
/** PDFium's functions under the names in its headers, prefixed with `_`. */
export const { pdfium } = await init({ wasmBinary: readFileSync(wasmFile) });
pdfium._PDFiumExt_Init();
useSystemFonts(pdfium);

export const MAX_PAGES = 10_000;

/**
 * An open document of any format. Page numbers start at 1; callers only request existing pages.
 * @typedef {object} OpenDocument
 * @property {(readonly [number, number])[]} sizes of its pages; 0 and 0 for one that can't be rendered
 * @property {(page: number, widths: readonly number[]) => Promise<import('./rendering-protocol.js').RenderedPage[]>}
 *   renderPage renders a page at the given widths
 * @property {(page: number) => import('./rendering-protocol.js').ExtractedPage} extractText the text of a page with
 *   its positions
 * @property {() => import('./rendering-protocol.js').OutlineEntry[]} readOutline
 * @property {readonly string[]} attachments names of attached files
 * @property {(attachment: number) => { name: string, bytes: Uint8Array }} extractAttachment an attached file, numbered
 *   from 1
 * @property {() => void} close
 */

/** Out of memory; a process without other open documents may have enough. */
export class OutOfMemoryError extends Error {}

/** A command that can't be executed for this document; the process is still usable. */
export class DocumentError extends Error {
  /** @param {import('./rendering-protocol.js').DocumentFailure} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** Allocates module memory. malloc returns 0 when there is none; writing there would corrupt the module. */
export function allocate(/** @type {number} */ size) {
  const pointer = pdfium.wasmExports.malloc(size);
  if (pointer === 0) throw new OutOfMemoryError('PDFium has no memory left.');
  return pointer;
}

export function free(/** @type {number} */ pointer) {
  pdfium.wasmExports.free(pointer);
}

/**
 * Allocates module memory for the duration of `work`.
 * @template T
 * @param {number} size bytes
 * @param {(pointer: number) => T} work
 * @returns {T}
 */
export function withMemory(size, work) {
  const pointer = allocate(size);
  let isCrashed = false;
  try {
    return work(pointer);
  } catch (error) {
    // The module must not be called after this error; the process exits.
    isCrashed = error instanceof WebAssembly.RuntimeError;
    throw error;
  } finally {
    if (!isCrashed) free(pointer);
  }
}

/**
 * Copies a text into module memory, NUL-terminated, for the duration of `work`.
 * @template T
 * @param {string} text
 * @param {(pointer: number) => T} work
 * @returns {T}
 */
export function withCString(text, work) {
  const bytes = Buffer.from(`${text}\0`);
  return withMemory(bytes.length, (pointer) => {
    pdfium.HEAPU8.set(bytes, pointer);
    return work(pointer);
  });
}

/** Returns a view of module memory. Every call may move the memory, so create a new view each time. */
export function viewMemory(/** @type {number} */ pointer, /** @type {number} */ size) {
  return new DataView(pdfium.HEAPU8.buffer, pointer, size);
}

/**
 * Reads a text from a function that returns the required size when it is called without a buffer, and is then called
 * again with one.
 * @param {(pointer: number, size: number) => number} write
 * @param {BufferEncoding} encoding
 * @param {number} maxBytes maximum bytes; a longer text is returned as empty
 */
export function readString(write, encoding, maxBytes) {
  const size = write(0, 0);
  if (size <= 0 || size > maxBytes) return '';
  return withMemory(size, (pointer) => {
    write(pointer, size);
    const bytes = Buffer.from(pdfium.HEAPU8.subarray(pointer, pointer + size));
    return bytes.toString(encoding).replace(/\0.*$/su, '');
  });
}
