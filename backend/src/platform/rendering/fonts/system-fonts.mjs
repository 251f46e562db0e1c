/**
 * Provides the machine's fonts for text whose font isn't embedded. PDFium itself only has 14 Latin fonts and can't read
 * the disk from WebAssembly, so it calls back through FPDF_SYSFONTINFO (fpdf_sysfontinfo.h).
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { findFace, REPLACEABLE_FAMILIES } from './font-match.mjs';
import { extendedFont, installedFaces } from './installed-fonts.mjs';

/**
 * The functions of FPDF_SYSFONTINFO in order, after `version`: return and parameter types, `i` for i32, `v` for void.
 */
const METHODS = /** @type {const} */ ([
  ['release', 'vi'],
  ['enumFonts', 'vii'],
  ['mapFont', 'iiiiiiii'],
  ['getFont', 'iii'],
  ['getFontData', 'iiiiii'],
  ['getFaceName', 'iiiii'],
  ['getFontCharset', 'iii'],
  ['deleteFont', 'vii'],
]);
const VERSION = 1;
/** The `table` value that requests a whole collection; 0 requests the font from its own header on. */
const COLLECTION = 0x74746366;
const DEFAULT_CHARSET = 1;
/** Platform ids of character maps. */
const MACINTOSH = 1;
const WINDOWS = 3;
const NO_PLATFORM = 0xffff;

/** Makes PDFium use the machine's fonts, which are loaded when a document first needs one. */
export function useSystemFonts(/** @type {any} */ pdfium) {
  const source = createFontCallbacks(pdfium);
  const info = pdfium.wasmExports.malloc(4 * (METHODS.length + 1));
  pdfium.setValue(info, VERSION, 'i32');
  for (const [at, [name, signature]] of METHODS.entries()) {
    pdfium.setValue(info + 4 * (at + 1), pdfium.addFunction(source[name], signature), 'i32');
  }
  pdfium._FPDF_SetSystemFontInfo(info);
}

/** The callbacks for PDFium. Font handles are numbers from 1; 0 means none. */
function createFontCallbacks(/** @type {any} */ pdfium) {
  const numberOf = (/** @type {import('./font-files.mjs').Face | undefined} */ face) =>
    face ? installedFaces().indexOf(face) + 1 : 0;
  const readText = (/** @type {number} */ pointer) =>
    Buffer.from(pdfium.HEAPU8.subarray(pointer, pdfium.HEAPU8.indexOf(0, pointer))).toString('latin1');

  return {
    release: () => undefined,
    enumFonts: (_info, /** @type {number} */ mapper) => {
      // PDFium derives weight and slant from a name such as Calibri-Bold only for listed families.
      for (const family of new Set([...REPLACEABLE_FAMILIES, ...installedFaces().map((face) => face.family)])) {
        const bytes = Buffer.from(`${family}\0`, 'latin1');
        const pointer = pdfium.wasmExports.malloc(bytes.length);
        if (pointer === 0) return;
        pdfium.HEAPU8.set(bytes, pointer);
        pdfium._FPDF_AddInstalledFont(mapper, pointer, DEFAULT_CHARSET);
        pdfium.wasmExports.free(pointer);
      }
    },
    mapFont: (_info, weight, italic, charset, pitch, family) =>
      numberOf(
        findFace(installedFaces(), { family: readText(family), weight, isItalic: italic !== 0, charset, pitch }),
      ),
    getFont: () => 0,
    getFontData: (_info, font, table, buffer, size) => {
      const face = installedFaces()[font - 1];
      const { path, offset, length, isCollection } = face;
      if (table !== 0 && table !== COLLECTION) return 0;
      const extended = table === 0 ? extendedFont(face) : null;
      if (extended) {
        if (buffer !== 0) pdfium.HEAPU8.set(extended.subarray(0, size), buffer);
        return extended.length;
      }
      if (table === COLLECTION && !isCollection) return 0;
      // PDFium locates a face in a collection by how much shorter it is than the whole file.
      const needed = isCollection && table === 0 ? length - offset : length;
      if (buffer !== 0) {
        readInto(pdfium.HEAPU8, buffer, path, Math.min(size, needed));
        if (size >= needed) hideMacRomanMap(new DataView(pdfium.HEAPU8.buffer, buffer, needed), offset);
      }
      return needed;
    },
    getFaceName: (_info, font, buffer, size) => {
      const bytes = Buffer.from(`${installedFaces()[font - 1].name}\0`, 'latin1');
      if (buffer !== 0 && size >= bytes.length) pdfium.HEAPU8.set(bytes, buffer);
      return bytes.length;
    },
    getFontCharset: () => DEFAULT_CHARSET,
    deleteFont: () => undefined,
  };
}

/**
 * Reads the beginning of a file into module memory. If the file has become shorter, the rest of the memory is
 * unchanged.
 */
function readInto(memory, pointer, path, length) {
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < length;) {
      const read = readSync(file, memory, pointer + at, length - at, at);
      if (read === 0) return;
      at += read;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Hides the Mac Roman character map of a font that also has one for Unicode. PDFium would prefer it and then ignore the
 * glyph names in the document's encoding, so that Turkish letters become Ä and Å.
 */
function hideMacRomanMap(/** @type {DataView} */ font, /** @type {number} */ offset) {
  const cmap = findTable(font, offset, 'cmap');
  if (cmap === 0) return;
  const records = Array.from({ length: font.getUint16(cmap + 2) }, (_, index) => cmap + 4 + 8 * index);
  const isOf = (/** @type {number} */ platform) => (/** @type {number} */ record) =>
    font.getUint16(record) === platform;
  if (!records.some((record) => isOf(WINDOWS)(record) && font.getUint16(record + 2) !== 0)) return;
  for (const record of records.filter(isOf(MACINTOSH))) font.setUint16(record, NO_PLATFORM);
}

/** Returns the offset of a table in a font; 0 when it has none. */
function findTable(/** @type {DataView} */ font, /** @type {number} */ offset, /** @type {string} */ tag) {
  const tagValue = Buffer.from(tag).readUInt32BE();
  for (let left = font.getUint16(offset + 4), at = offset + 12; left > 0; left--, at += 16) {
    if (font.getUint32(at) === tagValue) return font.getUint32(at + 8);
  }
  return 0;
}
