/** PDFium as the process that draws has it: the module, room in its memory, and how a wish ends that cannot be fulfilled. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from '@embedpdf/pdfium';
import { useSystemFonts } from './fonts/system-fonts.mjs';

const program = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
/** PDFium's functions under the names of its headers, with `_` before them. */
export const { pdfium: module } = await init({ wasmBinary: readFileSync(program) });
module._PDFiumExt_Init();
useSystemFonts(module);

export const MAX_PAGES = 10_000;

/**
 * A document as its format has opened it. Pages are counted from 1; only those that it has are asked for.
 * @typedef {object} OpenDocument
 * @property {(readonly [number, number])[]} sizes of its pages; 0 and 0 of one that cannot be drawn
 * @property {(page: number, widths: readonly number[]) => Promise<import('./rendering-protocol.js').DrawnPage[]>} draw
 *   a page once, as wide as it is wanted at most, and the narrower pictures of that one
 * @property {(page: number) => import('./rendering-protocol.js').ReadPage} text what a page says, and where
 * @property {() => import('./rendering-protocol.js').OutlineEntry[]} outline
 * @property {readonly string[]} attachments names of the files that are attached to it
 * @property {(attachment: number) => { name: string, bytes: Uint8Array }} attachment one of them, by its number from 1
 * @property {() => void} close
 */

/** There was no room: there may be in a process that has nothing else open. */
export class OutOfMemory extends Error {}

/** A wish that cannot be fulfilled with this document; the process is well. */
export class Refusal extends Error {
  /** @param {import('./rendering-protocol.js').Refused} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** Room in the module's memory, which is 0 when there is none: written there, the module would be lost. */
export function allocate(/** @type {number} */ size) {
  const pointer = module.wasmExports.malloc(size);
  if (pointer === 0) throw new OutOfMemory('The module has no room left.');
  return pointer;
}

export function free(/** @type {number} */ pointer) {
  module.wasmExports.free(pointer);
}

/**
 * Gives a function room in the module's memory while it works.
 * @template T
 * @param {number} size bytes
 * @param {(pointer: number) => T} work
 * @returns {T}
 */
export function inRoom(size, work) {
  const pointer = allocate(size);
  let isLost = false;
  try {
    return work(pointer);
  } catch (error) {
    // After it the module isn't to be called any more; the process ends.
    isLost = error instanceof WebAssembly.RuntimeError;
    throw error;
  } finally {
    if (!isLost) free(pointer);
  }
}

/**
 * Gives a function a text in the module's memory while it works.
 * @template T
 * @param {string} text
 * @param {(pointer: number) => T} work
 * @returns {T}
 */
export function inText(text, work) {
  const bytes = Buffer.from(`${text}\0`);
  return inRoom(bytes.length, (pointer) => {
    module.HEAPU8.set(bytes, pointer);
    return work(pointer);
  });
}

/** What lies in the module's memory there. It may move with each call, so it is looked at anew. */
export function viewOf(/** @type {number} */ pointer, /** @type {number} */ size) {
  return new DataView(module.HEAPU8.buffer, pointer, size);
}

/**
 * A text that the module writes: it says how many bytes it needs, and is asked again with room for them.
 * @param {(pointer: number, size: number) => number} write
 * @param {BufferEncoding} encoding
 * @param {number} most bytes; a longer one is none
 */
export function textOf(write, encoding, most) {
  const size = write(0, 0);
  if (size <= 0 || size > most) return '';
  return inRoom(size, (pointer) => {
    write(pointer, size);
    const bytes = Buffer.from(module.HEAPU8.subarray(pointer, pointer + size));
    return bytes.toString(encoding).replace(/\0.*$/su, '');
  });
}
