/** The fonts of this machine: OpenType files and collections, with their names and code pages. */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Font folders of Debian, macOS and Windows. Operators can add fonts to /usr/local/share/fonts. */
const FONT_FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/System/Library/Fonts',
  '/Library/Fonts',
  ...(process.env.SystemRoot ? [join(process.env.SystemRoot, 'Fonts')] : []),
];
const MAX_FILES = 5000;
/** In bytes. A larger file would take too much of the rendering process's memory. */
const MAX_SIZE = 32 * 1024 * 1024;
const MAX_COLLECTION = 64;

/**
 * A usable font.
 * @typedef {object} Face
 * @property {string} family its Latin name
 * @property {string} name family and style; unique
 * @property {boolean} isBold
 * @property {boolean} isItalic
 * @property {number} codePages bits of `ulCodePageRange1` (OS/2 table, OpenType)
 * @property {string} path
 * @property {number} offset of its header in the file, in bytes
 * @property {number} length of the file, in bytes
 * @property {boolean} isCollection
 */

/** Reads the headers of all fonts; unreadable files are skipped. @returns {Face[]} */
export function readFaces() {
  const faces = FONT_FOLDERS.flatMap(findFontFiles).slice(0, MAX_FILES).flatMap(readFontFile);
  // Two versions of a font have the same name. PDFium caches fonts by name, so it must see only one of them.
  return [...new Map(faces.map((face) => [face.name, face])).values()];
}

/** @returns {string[]} */
function findFontFiles(/** @type {string} */ folder) {
  const found = [];
  for (const entry of listEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...findFontFiles(path));
    else if (/\.(ttf|otf|ttc|otc)$/i.test(entry.name)) found.push(path);
  }
  return found;
}

function listEntries(/** @type {string} */ folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(error.code)) return [];
    throw error;
  }
}

/** @returns {Face[]} */
function readFontFile(/** @type {string} */ path) {
  let file;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    // A dangling link, or no read permission.
    if (['ENOENT', 'EACCES'].includes(error.code)) return [];
    throw error;
  }
  try {
    const length = fstatSync(file).size;
    if (length > MAX_SIZE) return [];
    const read = (/** @type {number} */ at, /** @type {number} */ size) => {
      const bytes = Buffer.alloc(size);
      if (readSync(file, bytes, 0, size, at) < size) throw new RangeError('The file ends early.');
      return bytes;
    };
    return readHeaders(read).map(({ offset, isCollection }) => ({
      ...readFace(read, offset),
      path,
      offset,
      length,
      isCollection,
    }));
  } catch (error) {
    // Damaged, or not an OpenType font.
    if (error instanceof RangeError) return [];
    throw error;
  } finally {
    closeSync(file);
  }
}

function readHeaders(/** @type {(at: number, size: number) => Buffer} */ read) {
  if (read(0, 4).toString('latin1') !== 'ttcf') return [{ offset: 0, isCollection: false }];
  const count = Math.min(read(8, 4).readUInt32BE(0), MAX_COLLECTION);
  const offsets = read(12, 4 * count);
  return Array.from({ length: count }, (_, index) => ({ offset: offsets.readUInt32BE(4 * index), isCollection: true }));
}

function readFace(/** @type {(at: number, size: number) => Buffer} */ read, /** @type {number} */ offset) {
  const count = read(offset, 6).readUInt16BE(4);
  const directory = read(offset + 12, 16 * count);
  const table = (/** @type {string} */ tag) => {
    for (let at = 0; at < directory.length; at += 16) {
      if (directory.toString('latin1', at, at + 4) !== tag) continue;
      return read(directory.readUInt32BE(at + 8), Math.min(directory.readUInt32BE(at + 12), 65_536));
    }
    throw new RangeError(`No table ${tag}.`);
  };
  const os2 = table('OS/2');
  // fsSelection; ulCodePageRange1 exists since version 1 of the table.
  const [style, codePages] = [os2.readUInt16BE(62), os2.readUInt16BE(0) >= 1 ? os2.readUInt32BE(78) : 0];
  const names = readNames(table('name'));
  const [family, subfamily] = [names.get(1), names.get(2)];
  if (!family) throw new RangeError('No family.');
  return {
    family,
    name: `${family} ${subfamily ?? ''}`.trim(),
    isBold: (style & 0x20) !== 0,
    isItalic: (style & 0x01) !== 0,
    codePages,
  };
}

/** English names for Windows, else for Macintosh, by name id. */
function readNames(/** @type {Buffer} */ table) {
  /** @type {Map<number, string>} */
  const names = new Map();
  const [count, storage] = [table.readUInt16BE(2), table.readUInt16BE(4)];
  for (let at = 6; at < 6 + 12 * count; at += 12) {
    const [platform, , language, id, length, offset] = [0, 2, 4, 6, 8, 10].map((step) => table.readUInt16BE(at + step));
    const bytes = Buffer.from(table.subarray(storage + offset, storage + offset + length));
    if (platform === 3 && language === 0x409) names.set(id, bytes.swap16().toString('utf16le'));
    else if (platform === 1 && language === 0 && !names.has(id)) names.set(id, bytes.toString('latin1'));
  }
  return names;
}
