/**
 * Fonts of the machine for text whose font isn't embedded. PDFium itself has only 14 Latin fonts and can't read the disk from
 * WebAssembly, so it asks here by FPDF_SYSFONTINFO (fpdf_sysfontinfo.h).
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { mergeFonts } from './font-merge.mjs';
import { faceWithMore, findFace, STOOD_IN_FOR } from './font-match.mjs';
import { readFaces } from './font-files.mjs';

/** The functions of FPDF_SYSFONTINFO in their order, behind `version`, with the number of their arguments. All are i32. */
const METHODS = /** @type {const} */ ([
  ['release', 1, false],
  ['enumFonts', 2, false],
  ['mapFont', 7, true],
  ['getFont', 2, true],
  ['getFontData', 5, true],
  ['getFaceName', 4, true],
  ['getFontCharset', 2, true],
  ['deleteFont', 2, false],
]);
/** `table` of a wish for a whole collection; 0 is a wish for the font from its own header on. */
const COLLECTION = 0x74746366;
const DEFAULT_CHARSET = 1;
/** Platforms of character maps. */
const MACINTOSH = 1;
const WINDOWS = 3;
const NO_PLATFORM = 0xffff;

/** Makes PDFium use fonts of the machine. They are looked for when a document first needs one. */
export function useSystemFonts(/** @type {any} */ module) {
  const info = module._FPDF_GetDefaultSystemFontInfo();
  const functions = wasmFunctions(fontSource(module));
  // The table can't grow. The entries of the default implementation are used by nothing but this struct.
  for (const [at, [name]] of METHODS.entries()) {
    const entry = new DataView(module.HEAPU8.buffer).getUint32(info + 4 * (at + 1), true);
    module.wasmExports.__indirect_function_table.set(entry, functions[name]);
  }
  module._FPDF_SetSystemFontInfo(info);
}

/** What PDFium asks. A font is a number from 1; 0 is none. */
function fontSource(/** @type {any} */ module) {
  /** @type {import('./font-files.mjs').Face[] | undefined} */
  let known;
  const faces = () => (known ??= readFaces());
  const numberOf = (/** @type {import('./font-files.mjs').Face | undefined} */ face) =>
    face ? faces().indexOf(face) + 1 : 0;
  /** @type {Map<import('./font-files.mjs').Face, Buffer | null>} */
  const merged = new Map();
  const extended = (/** @type {import('./font-files.mjs').Face} */ face) => {
    if (!merged.has(face)) merged.set(face, withMoreLetters(face, faceWithMore(faces(), face)));
    return merged.get(face);
  };
  const textAt = (/** @type {number} */ pointer) =>
    Buffer.from(module.HEAPU8.subarray(pointer, module.HEAPU8.indexOf(0, pointer))).toString('latin1');

  return {
    release: () => undefined,
    enumFonts: (_info, /** @type {number} */ mapper) => {
      // Only the weight and the slant of families that are listed are taken from a name such as Calibri-Bold.
      for (const family of new Set([...STOOD_IN_FOR, ...faces().map((face) => face.family)])) {
        const bytes = Buffer.from(`${family}\0`, 'latin1');
        const pointer = module.wasmExports.malloc(bytes.length);
        if (pointer === 0) return;
        module.HEAPU8.set(bytes, pointer);
        module._FPDF_AddInstalledFont(mapper, pointer, DEFAULT_CHARSET);
        module.wasmExports.free(pointer);
      }
    },
    mapFont: (_info, weight, italic, charset, pitch, family) =>
      numberOf(findFace(faces(), { family: textAt(family), weight, isItalic: italic !== 0, charset, pitch })),
    getFont: () => 0,
    getFontData: (_info, font, table, buffer, size) => {
      const face = faces()[font - 1];
      const { path, offset, length, isCollection } = face;
      if (table !== 0 && table !== COLLECTION) return 0;
      const whole = table === 0 ? extended(face) : null;
      if (whole) {
        if (buffer !== 0) module.HEAPU8.set(whole.subarray(0, size), buffer);
        return whole.length;
      }
      if (table === COLLECTION && !isCollection) return 0;
      // PDFium finds the face of a collection by how much shorter it is than the whole.
      const needed = isCollection && table === 0 ? length - offset : length;
      if (buffer !== 0) {
        readInto(module.HEAPU8, buffer, path, Math.min(size, needed));
        if (size >= needed) withoutMacRoman(new DataView(module.HEAPU8.buffer, buffer, needed), offset);
      }
      return needed;
    },
    getFaceName: (_info, font, buffer, size) => {
      const bytes = Buffer.from(`${faces()[font - 1].name}\0`, 'latin1');
      if (buffer !== 0 && size >= bytes.length) module.HEAPU8.set(bytes, buffer);
      return bytes.length;
    },
    getFontCharset: () => DEFAULT_CHARSET,
    deleteFont: () => undefined,
  };
}

/** A font with the letters of another one that it lacks; null when there is none, or they can't be merged. */
function withMoreLetters(face, other) {
  if (!other) return null;
  try {
    return mergeFonts(readFileSync(face.path), readFileSync(other.path));
  } catch (error) {
    // One is damaged. PDFium is given the first as it is.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads the beginning of a file into the module's memory. What a font that became shorter lacks stays as it was there. */
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
 * Hides the Mac Roman character map of a font that has one for Unicode. PDFium prefers it and then ignores the glyph names
 * that a document gives to its codes, so that Turkish letters become Ä and Å.
 */
function withoutMacRoman(/** @type {DataView} */ font, /** @type {number} */ offset) {
  const cmap = tableAt(font, offset, 'cmap');
  if (cmap === 0) return;
  const records = Array.from({ length: font.getUint16(cmap + 2) }, (_, at) => cmap + 4 + 8 * at);
  const isOf = (/** @type {number} */ platform) => (/** @type {number} */ record) =>
    font.getUint16(record) === platform;
  if (!records.some((record) => isOf(WINDOWS)(record) && font.getUint16(record + 2) !== 0)) return;
  for (const record of records.filter(isOf(MACINTOSH))) font.setUint16(record, NO_PLATFORM);
}

/** Where a table of a font begins; 0 when it has none. */
function tableAt(/** @type {DataView} */ font, /** @type {number} */ offset, /** @type {string} */ tag) {
  const wanted = Buffer.from(tag).readUInt32BE();
  for (let left = font.getUint16(offset + 4), at = offset + 12; left > 0; left--, at += 16) {
    if (font.getUint32(at) === wanted) return font.getUint32(at + 8);
  }
  return 0;
}

/** A table of WebAssembly takes only functions of WebAssembly: a module that does nothing but pass on our functions. */
function wasmFunctions(/** @type {Record<string, Function>} */ source) {
  const section = (/** @type {number} */ id, /** @type {number[]} */ content) => [id, ...lengthOf(content), ...content];
  const text = (/** @type {string} */ name) => [name.length, ...Buffer.from(name)];
  const list = (/** @type {number[][]} */ entries) => [entries.length, ...entries.flat()];
  const I32 = 0x7f;
  const types = METHODS.map(([, count, returns]) => [
    0x60,
    ...list(Array.from({ length: count }, () => [I32])),
    ...list(returns ? [[I32]] : []),
  ]);
  const imports = METHODS.map(([name], at) => [...text('source'), ...text(name), 0, at]);
  const exports = METHODS.map(([name], at) => [...text(name), 0, at]);
  const head = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const bytes = [...head, ...section(1, list(types)), ...section(2, list(imports)), ...section(7, list(exports))];
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), { source }).exports;
}

/** The length of a section as LEB128. */
function lengthOf(/** @type {number[]} */ { length }) {
  const bytes = [];
  for (let rest = length; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
